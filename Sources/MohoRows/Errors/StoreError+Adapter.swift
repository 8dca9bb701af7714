import MohoMapping

/// A mapping that is writing to a database rethrows the database's errors
/// unchanged.
extension StoreError: AdapterError {}
