enum PlaceholderMohoMapping {}
