enum PlaceholderMohoJSON {}
