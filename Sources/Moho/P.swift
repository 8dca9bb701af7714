enum PlaceholderM {}
