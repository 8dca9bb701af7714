import MohoRows

/// The numbers that identify the rows of a context in an index.
///
/// The number of a stored row is its ID. An unsaved row gets a number that no
/// row ID uses, and keeps this number when it is saved.
struct RowNumbers: Sendable {
  /// The numbers of the rows whose number is not their ID, by key.
  private var numbers: [RowIdentity.Key: Int64] = [:]
  /// The keys of these rows, by number.
  private var keys: [Int64: RowIdentity.Key] = [:]
  private var next = Int64.min

  /// Whether the number of each row is its ID.
  var areRowIDs: Bool { numbers.isEmpty }

  /// The rows that have numbers and have not been saved.
  var temporaryKeys: [RowIdentity.Key] {
    numbers.keys.filter { if case .temporary = $0 { true } else { false } }
  }

  /// Returns the number of a row, and assigns one if necessary.
  ///
  /// - Parameter isUsed: Returns whether a number is the ID of a row in the
  ///   list.
  mutating func number(
    of key: RowIdentity.Key, isUsed: (Int64) -> Bool
  ) -> Int64 {
    if let number = existingNumber(of: key) { return number }
    while keys[next] != nil || isUsed(next) { next += 1 }
    defer { next += 1 }
    numbers[key] = next
    keys[next] = key
    return next
  }

  /// Returns the number of a row, or `nil` if none has been assigned.
  func existingNumber(of key: RowIdentity.Key) -> Int64? {
    if let number = numbers[key] { return number }
    guard case .stored(let rowID) = key, keys[rowID] == nil else { return nil }
    return rowID
  }

  /// Returns the key of the row with a number.
  func key(of number: Int64) -> RowIdentity.Key { keys[number] ?? .stored(number) }

  /// Assigns the number of a row to its new key.
  mutating func rename(_ old: RowIdentity.Key, to new: RowIdentity.Key) {
    guard let number = numbers.removeValue(forKey: old) else { return }
    keys[number] = new
    if new == .stored(number) {
      keys[number] = nil
    } else {
      numbers[new] = number
    }
  }

  /// Releases a number that is no longer used.
  mutating func remove(_ number: Int64) {
    if let key = keys.removeValue(forKey: number) { numbers[key] = nil }
  }
}
