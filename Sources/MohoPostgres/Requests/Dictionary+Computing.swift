extension Dictionary {
  /// Returns the value of a key, which is computed and stored if it is missing.
  mutating func value(for key: Key, _ compute: () -> Value) -> Value {
    if let value = self[key] { return value }
    let value = compute()
    self[key] = value
    return value
  }
}
