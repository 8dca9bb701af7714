/// A position in the history of a store.
///
/// A token is a value that an app can store, for example in its settings, and
/// use after a restart:
///
/// ```swift
/// settings.token = try JSONEncoder().encode(store.currentHistoryToken())
/// ```
///
/// A token belongs to one store. Comparing tokens of the same store compares
/// their positions. Reading the history since a token throws a ``StoreError``
/// if the token belongs to another store, or if changes after it have been
/// deleted.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The identifier of the history, which is created with it.
  package let history: String
  /// The number of recorded changes up to the token.
  package let sequence: Int64
  /// The time of the last change before the token, in milliseconds. It
  /// distinguishes copies of a file that have changed separately.
  package let time: Int64

  package init(history: String, sequence: Int64, time: Int64) {
    self.history = history
    self.sequence = sequence
    self.time = time
  }
}

extension HistoryToken: Comparable {
  /// Returns a Boolean value indicating whether a token precedes another token
  /// of the same store.
  public static func < (one: HistoryToken, other: HistoryToken) -> Bool {
    (one.history, one.sequence) < (other.history, other.sequence)
  }
}

extension HistoryToken: CustomStringConvertible {
  /// The position, such as `history 12`.
  public var description: String { "history \(sequence)" }
}
