import MohoStore

/// The numbers by which an index knows the rows of a context: the identities of
/// rows that are stored, and numbers that no row has for those that are not.
///
/// A row keeps its number when it is saved.
struct RowNumbers: Sendable {
  /// The numbers of the rows that have another than their identity.
  private var numbers: [RowIdentity.Key: Int64] = [:]
  /// Those rows, by their numbers.
  private var keys: [Int64: RowIdentity.Key] = [:]
  private var next = Int64.min

  /// Whether every row has its identity as its number.
  var areIdentities: Bool { numbers.isEmpty }

  /// The rows that have numbers and are not saved.
  var temporary: [RowIdentity.Key] {
    numbers.keys.filter { if case .temporary = $0 { true } else { false } }
  }

  /// The number of a row, which gets one if need be.
  ///
  /// - Parameter isTaken: Whether a row has a number that is known to have its
  ///   identity as its number.
  mutating func number(
    of key: RowIdentity.Key, isTaken: (Int64) -> Bool
  ) -> Int64 {
    if let number = known(key) { return number }
    while keys[next] != nil || isTaken(next) { next += 1 }
    defer { next += 1 }
    numbers[key] = next
    keys[next] = key
    return next
  }

  /// The number of a row, or nil if it has none yet.
  func known(_ key: RowIdentity.Key) -> Int64? {
    if let number = numbers[key] { return number }
    guard case .stored(let identity) = key, keys[identity] == nil else { return nil }
    return identity
  }

  /// The row that has a number.
  func key(of number: Int64) -> RowIdentity.Key { keys[number] ?? .stored(number) }

  /// A row has got another identity.
  mutating func rename(_ old: RowIdentity.Key, to new: RowIdentity.Key) {
    guard let number = numbers.removeValue(forKey: old) else { return }
    keys[number] = new
    if new == .stored(number) {
      keys[number] = nil
    } else {
      numbers[new] = number
    }
  }

  /// Nobody knows a row by its number any more.
  mutating func forget(_ number: Int64) {
    if let key = keys.removeValue(forKey: number) { numbers[key] = nil }
  }
}
