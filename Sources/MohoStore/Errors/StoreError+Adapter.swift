import MohoMapping

/// Errors of a database pass through the mapping that was writing to it.
extension StoreError: AdapterError {}
