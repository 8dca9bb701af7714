enum PlaceholderMohoResults {}
