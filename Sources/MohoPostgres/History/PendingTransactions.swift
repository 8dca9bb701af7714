import MohoRows

/// The transactions that are read after a token, in the order of their last changes.
///
/// A transaction can be read when the position has reached its last change. Those that have
/// changes up to the position, but have not been read, do not precede the tokens.
struct PendingTransactions {
  struct Transaction {
    let id: UInt64
    /// The number of the first change that has not been read.
    let first: Int64
    /// The number of the last change.
    let last: Int64
    /// The number of the last change that was read before, or 0.
    let read: Int64
  }

  private var waiting: [UInt64: Transaction] = [:]
  /// The waiting transactions with changes up to the position.
  private var begun: [UInt64: Transaction] = [:]
  /// The transactions in the order of their first changes, and the number of those that have
  /// begun.
  private var order: [Transaction] = []
  private var begunCount = 0

  /// The number of the last change that precedes the current token, or belongs to a
  /// transaction that does not.
  private(set) var position: Int64

  init(after position: Int64) { self.position = position }

  /// Adds a transaction, unless it is known.
  mutating func append(_ transaction: Transaction) {
    guard waiting[transaction.id] == nil else { return }
    waiting[transaction.id] = transaction
    order.append(transaction)
  }

  /// Returns the transactions that can be read, because all of their changes are known.
  ///
  /// - Parameter end: The number of the last known change.
  mutating func transactions(upTo end: Int64) -> [Transaction] {
    order = order[begunCount...].sorted { $0.first < $1.first }
    begunCount = 0
    return waiting.values.filter { $0.last <= end }.sorted { $0.last < $1.last }
  }

  /// Reads the changes of a transaction up to a number.
  mutating func read(_ transaction: Transaction, upTo sequence: Int64) {
    position = max(position, sequence)
    while begunCount < order.count, order[begunCount].first <= position {
      let next = order[begunCount]
      if waiting[next.id] != nil { begun[next.id] = next }
      begunCount += 1
    }
    if sequence >= transaction.last {
      waiting[transaction.id] = nil
      begun[transaction.id] = nil
    } else {
      begun[transaction.id] = Transaction(
        id: transaction.id, first: sequence, last: transaction.last, read: sequence)
    }
  }

  /// The transactions with changes up to the position that have not been read completely.
  var unseen: [UnseenTransactions] {
    begun.values.map { UnseenTransactions(first: $0.id, last: $0.id, sequence: $0.read) }
  }
}
