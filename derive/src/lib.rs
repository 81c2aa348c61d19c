//! The derive macro of `Encode`, which the crate `bestfirst` exports by its feature `derive`.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DeriveInput, Error, Fields, Result, Type, parse_macro_input, parse_quote,
    parse_quote_spanned,
};

/// Derives `bestfirst::Encode` for a struct or an enum whose fields implement it.
///
/// The fields of a struct are encoded one after the other. An enum is encoded as the number of the variant in its
/// declaration, in one byte, then the fields of the variant, then zeros up to the length of the longest variant; it may have up
/// to 256 variants. Type parameters must implement `Encode`. The fields of a packed struct must be `Copy`.
///
/// The code that is derived says `::bestfirst`. A crate that has renamed the dependency, to `bf` for example, writes
/// `extern crate bf as bestfirst;` at its root.
#[proc_macro_derive(Encode)]
pub fn derive_encode(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implement(input).unwrap_or_else(Error::into_compile_error).into()
}

// Whatever the crate of the user calls its items, the derived code must mean its own: what is local has names that begin
// with `__`, and all else has whole paths.

fn implement(mut input: DeriveInput) -> Result<TokenStream> {
    let is_packed = input.attrs.iter().any(is_packed);
    let (bytes, encode, decode) = match &input.data {
        Data::Struct(data) => of_struct(&data.fields, is_packed),
        Data::Enum(data) => {
            if !(1..=256).contains(&data.variants.len()) {
                let message = "`Encode` is derived for enums of 1 to 256 variants";
                return Err(Error::new(input.ident.span(), message));
            }
            let variants = data.variants.iter().map(|variant| (&variant.ident, &variant.fields));
            of_enum(&variants.collect::<Vec<_>>())
        }
        Data::Union(data) => {
            let message = "`Encode` cannot be derived for a union: nothing says which field is set";
            return Err(Error::new(data.union_token.span(), message));
        }
    };
    for bounded in bounded(&input) {
        let predicate = parse_quote_spanned!(bounded.span()=> #bounded: ::bestfirst::Encode);
        input.generics.make_where_clause().predicates.push(predicate);
    }
    let (name, (generics, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::bestfirst::Encode for #name #arguments #bounds {
            const BYTES: ::core::primitive::usize = #bytes;

            #[inline]
            fn encode(&self, __bytes: &mut [::core::primitive::u8]) {
                #encode
            }

            #[inline]
            fn decode(
                __bytes: &[::core::primitive::u8],
            ) -> ::core::result::Result<Self, ::bestfirst::DecodeError> {
                #decode
            }
        }
    })
}

/// Whether this is `repr(packed)`, also with a number or beside other words.
fn is_packed(attribute: &Attribute) -> bool {
    let Ok(list) = attribute.meta.require_list() else { return false };
    let is_word = |token| matches!(token, TokenTree::Ident(word) if word == "packed");
    list.path.is_ident("repr") && list.tokens.clone().into_iter().any(is_word)
}

/// The types that must implement `Encode`: the parameters; without any, those of the fields, so that the compiler
/// reports each of them once, where it stands.
fn bounded(input: &DeriveInput) -> Vec<Type> {
    let generics = &input.generics;
    if !generics.params.is_empty() {
        return generics
            .type_params()
            .map(|param| &param.ident)
            .map(|name| parse_quote!(#name))
            .collect();
    }
    let fields: Vec<_> = match &input.data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    fields.into_iter().map(|field| field.ty.clone()).collect()
}

/// The number of bytes, and the bodies of both methods.
type Parts = (TokenStream, TokenStream, TokenStream);

fn of_struct(fields: &Fields, is_packed: bool) -> Parts {
    let (pattern, names) = pattern(fields);
    let (types, encode, decode) = (types(fields), encode(fields, &names), decode(fields, &names));
    // There are no references to the fields of a packed struct: they are copied.
    let (own, rebound) = if is_packed {
        (quote!(*self), quote!(#(let #names = &#names;)*))
    } else {
        (quote!(self), quote!())
    };
    (
        sum(&types),
        quote! {
            let Self #pattern = #own;
            #rebound
            let __rest = __bytes;
            #encode
            let _ = __rest;
        },
        quote! {
            let (__at, __rest) = (0, __bytes);
            #decode
            let _ = (__at, __rest);
            ::core::result::Result::Ok(Self #pattern)
        },
    )
}

fn of_enum(variants: &[(&Ident, &Fields)]) -> Parts {
    let sums: Vec<_> = variants.iter().map(|(_, fields)| sum(&types(fields))).collect();
    let (mut encodes, mut decodes) = (Vec::new(), Vec::new());
    for (number, (variant, fields)) in variants.iter().enumerate() {
        let number = u8::try_from(number).expect("there are at most 256 variants");
        let (pattern, names) = pattern(fields);
        let (encode, decode) = (encode(fields, &names), decode(fields, &names));
        encodes.push(quote! {
            Self::#variant #pattern => {
                *__number = #number;
                #encode
                __rest.fill(0);
            }
        });
        decodes.push(quote! {
            #number => {
                #decode
                (Self::#variant #pattern, __at, __rest)
            }
        });
    }
    (
        quote! {{
            let mut __most = 0;
            #({
                let __bytes = #sums;
                if __bytes > __most {
                    __most = __bytes;
                }
            })*
            1 + __most
        }},
        quote! {
            let (__number, __rest) = __bytes.split_first_mut().expect("the bytes of a value");
            match self { #(#encodes)* }
        },
        quote! {
            let (__number, __rest) = __bytes.split_first().expect("the bytes of a value");
            let __at = 1;
            let (__value, __at, __rest) = match *__number {
                #(#decodes)*
                _ => {
                    return ::core::result::Result::Err(::bestfirst::DecodeError {
                        at: 0,
                        expected: "the number of a variant",
                    });
                }
            };
            match ::core::iter::Iterator::position(&mut __rest.iter(), |__byte| *__byte != 0) {
                ::core::option::Option::None => ::core::result::Result::Ok(__value),
                ::core::option::Option::Some(__place) => {
                    ::core::result::Result::Err(::bestfirst::DecodeError {
                        at: __at + __place,
                        expected: "0",
                    })
                }
            }
        },
    )
}

fn types(fields: &Fields) -> Vec<&Type> {
    fields.iter().map(|field| &field.ty).collect()
}

fn sum(types: &[&Type]) -> TokenStream {
    quote!((0 #(+ <#types as ::bestfirst::Encode>::BYTES)*))
}

/// What binds all fields, and makes a value of them; the names that they are bound to.
fn pattern(fields: &Fields) -> (TokenStream, Vec<Ident>) {
    let names: Vec<_> = (0..fields.len()).map(|number| format_ident!("__field_{number}")).collect();
    let pattern = match fields {
        Fields::Named(fields) => {
            let fields = fields.named.iter().map(|field| &field.ident);
            quote!({ #(#fields: #names),* })
        }
        Fields::Unnamed(_) => quote!(( #(#names),* )),
        Fields::Unit => quote!(),
    };
    (pattern, names)
}

/// Writes the fields into the front of `__rest`.
fn encode(fields: &Fields, names: &[Ident]) -> TokenStream {
    let types = types(fields);
    quote! {
        #(
            let (__own, __rest) = __rest.split_at_mut(<#types as ::bestfirst::Encode>::BYTES);
            ::bestfirst::Encode::encode(#names, __own);
        )*
    }
}

/// Reads the fields from the front of `__rest`, which begins at the byte `__at`.
fn decode(fields: &Fields, names: &[Ident]) -> TokenStream {
    let types = types(fields);
    quote! {
        #(
            let (__own, __rest) = __rest.split_at(<#types as ::bestfirst::Encode>::BYTES);
            let #names = match <#types as ::bestfirst::Encode>::decode(__own) {
                ::core::result::Result::Ok(__value) => __value,
                ::core::result::Result::Err(__fault) => {
                    return ::core::result::Result::Err(__fault.after(__at));
                }
            };
            let __at = __at + <#types as ::bestfirst::Encode>::BYTES;
        )*
    }
}
