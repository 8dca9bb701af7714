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
  /// The number of the last recorded change before the token.
  package let sequence: Int64
  /// The time of that change, in milliseconds. It distinguishes copies of a store that have
  /// changed separately.
  package let time: Int64
  /// The transactions with changes up to ``sequence`` that do not precede the token, in the
  /// order of their IDs. Nil if the engine commits transactions in the order of their changes.
  package let unseen: [UnseenTransactions]?
  /// The timeline of PostgreSQL, which increases when a standby server takes over. Nil if the
  /// engine has no servers.
  package let timeline: Int?
  /// The number of times that changes had been deleted before the token. Nil if comparing
  /// positions is enough to know whether changes after a token have been deleted.
  package let deletionCount: Int?

  package init(
    history: String, sequence: Int64, time: Int64, unseen: [UnseenTransactions]? = nil,
    timeline: Int? = nil, deletionCount: Int? = nil
  ) {
    self.history = history
    self.sequence = sequence
    self.time = time
    self.unseen = unseen
    self.timeline = timeline
    self.deletionCount = deletionCount
  }
}

/// A range of IDs of transactions that were in progress at a token, or that are read after it.
package struct UnseenTransactions: Sendable, Hashable, Codable {
  /// The ID of the first transaction.
  package let first: UInt64
  /// The ID of the last transaction.
  package let last: UInt64
  /// Changes of these transactions up to this number, if there are any, precede the token.
  package let sequence: Int64

  package init(first: UInt64, last: UInt64, sequence: Int64 = 0) {
    self.first = first
    self.last = last
    self.sequence = sequence
  }
}

extension HistoryToken: Comparable {
  /// Returns a Boolean value indicating whether a token precedes another token
  /// of the same store.
  public static func < (one: HistoryToken, other: HistoryToken) -> Bool {
    guard one.history == other.history, one.sequence == other.sequence else {
      return (one.history, one.sequence) < (other.history, other.sequence)
    }
    // A later token lacks fewer of the transactions that began before the last change.
    let (unseen, others) = (one.unseen ?? [], other.unseen ?? [])
    for (one, other) in zip(unseen, others) where one != other {
      return (one.first, one.sequence, other.last) < (other.first, other.sequence, one.last)
    }
    return unseen.count > others.count
  }
}

extension HistoryToken: CustomStringConvertible {
  /// The position, such as `history 12`.
  public var description: String { "history \(sequence)" }
}
