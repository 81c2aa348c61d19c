fn main() {
    println!("{:?}", Some(std::env::args().count()));
}
