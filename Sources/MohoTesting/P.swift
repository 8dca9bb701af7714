enum PlaceholderT {}
