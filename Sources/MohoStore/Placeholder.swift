enum PlaceholderMohoStore {}
