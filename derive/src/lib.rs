//! The derive macro of `Encode`, which the crate `bestfirst` exports by its feature `derive`.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Result, Type, parse_macro_input, parse_quote};

/// Derives `bestfirst::Encode` for a struct or an enum whose fields implement it.
///
/// The fields of a struct are encoded one after the other. An enum is encoded as the number of the variant in its
/// declaration, in one byte, then the fields of the variant, then zeros up to the length of the longest variant; it may have up
/// to 256 variants. Type parameters must implement `Encode`.
#[proc_macro_derive(Encode)]
pub fn derive_encode(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implement(input).unwrap_or_else(Error::into_compile_error).into()
}

fn implement(mut input: DeriveInput) -> Result<TokenStream> {
    let (bytes, encode, decode) = match &input.data {
        Data::Struct(data) => of_struct(&data.fields),
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
    let types: Vec<_> = input.generics.type_params().map(|param| param.ident.clone()).collect();
    for name in types {
        input
            .generics
            .make_where_clause()
            .predicates
            .push(parse_quote!(#name: ::bestfirst::Encode));
    }
    let (name, (generics, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    Ok(quote! {
        #[automatically_derived]
        impl #generics ::bestfirst::Encode for #name #arguments #bounds {
            const BYTES: usize = #bytes;

            #[inline]
            fn encode(&self, bytes: &mut [u8]) {
                #encode
            }

            #[inline]
            fn decode(
                bytes: &[u8],
            ) -> ::core::result::Result<Self, ::bestfirst::DecodeError> {
                #decode
            }
        }
    })
}

/// The number of bytes, and the bodies of both methods.
type Parts = (TokenStream, TokenStream, TokenStream);

fn of_struct(fields: &Fields) -> Parts {
    let (pattern, names) = pattern(fields);
    let (types, encode, decode) = (types(fields), encode(fields, &names), decode(fields, &names));
    (
        sum(&types),
        quote! {
            let Self #pattern = self;
            let rest = bytes;
            #encode
            let _ = rest;
        },
        quote! {
            let (at, rest) = (0, bytes);
            #decode
            let _ = (at, rest);
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
                *number = #number;
                #encode
                rest.fill(0);
            }
        });
        decodes.push(quote! {
            #number => {
                #decode
                (Self::#variant #pattern, at, rest)
            }
        });
    }
    (
        quote! {{
            let mut most = 0;
            #({
                let bytes = #sums;
                if bytes > most {
                    most = bytes;
                }
            })*
            1 + most
        }},
        quote! {
            let (number, rest) = bytes.split_first_mut().expect("the bytes of a value");
            match self { #(#encodes)* }
        },
        quote! {
            let (number, rest) = bytes.split_first().expect("the bytes of a value");
            let at = 1;
            let (value, at, rest) = match *number {
                #(#decodes)*
                _ => {
                    let expected = "the number of a variant";
                    return ::core::result::Result::Err(::bestfirst::DecodeError { at: 0, expected });
                }
            };
            match rest.iter().position(|byte| *byte != 0) {
                ::core::option::Option::None => ::core::result::Result::Ok(value),
                ::core::option::Option::Some(place) => {
                    let at = at + place;
                    ::core::result::Result::Err(::bestfirst::DecodeError { at, expected: "0" })
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
    let names: Vec<_> = (0..fields.len()).map(|number| format_ident!("field_{number}")).collect();
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

/// Writes the fields into the front of `rest`.
fn encode(fields: &Fields, names: &[Ident]) -> TokenStream {
    let types = types(fields);
    quote! {
        #(
            let (own, rest) = rest.split_at_mut(<#types as ::bestfirst::Encode>::BYTES);
            ::bestfirst::Encode::encode(#names, own);
        )*
    }
}

/// Reads the fields from the front of `rest`, which begins at the byte `at`.
fn decode(fields: &Fields, names: &[Ident]) -> TokenStream {
    let types = types(fields);
    quote! {
        #(
            let (own, rest) = rest.split_at(<#types as ::bestfirst::Encode>::BYTES);
            let #names = match <#types as ::bestfirst::Encode>::decode(own) {
                ::core::result::Result::Ok(value) => value,
                ::core::result::Result::Err(fault) => {
                    return ::core::result::Result::Err(fault.after(at));
                }
            };
            let at = at + <#types as ::bestfirst::Encode>::BYTES;
        )*
    }
}
