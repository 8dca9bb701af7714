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
  }

  private var waiting: [UInt64: Transaction] = [:]
  /// The waiting transactions whose first change the position has passed.
  private var overtaken: [UInt64: Transaction] = [:]
  /// The transactions in the order of their first changes, and the number of those whose first
  /// change the position has passed.
  private var order: [Transaction] = []
  private var overtakenCount = 0

  /// The number of the last change up to which transactions have been read. Those in
  /// ``unseen`` have unread changes before it.
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
    order = order[overtakenCount...].sorted { $0.first < $1.first }
    overtakenCount = 0
    return waiting.values.filter { $0.last <= end }.sorted { $0.last < $1.last }
  }

  /// Reads the changes of a transaction up to a number.
  mutating func read(_ transaction: Transaction, upTo sequence: Int64) {
    position = max(position, sequence)
    while overtakenCount < order.count, order[overtakenCount].first <= position {
      let next = order[overtakenCount]
      if waiting[next.id] != nil { overtaken[next.id] = next }
      overtakenCount += 1
    }
    if sequence >= transaction.last {
      waiting[transaction.id] = nil
      overtaken[transaction.id] = nil
    } else {
      overtaken[transaction.id] = Transaction(
        id: transaction.id, first: sequence + 1, last: transaction.last)
    }
  }

  /// The transactions with changes up to the position that have not been read completely.
  var unseen: [UnseenTransactions] {
    overtaken.values.map { transaction in
      UnseenTransactions(
        first: transaction.id, last: transaction.id, sequence: transaction.first - 1)
    }
  }
}
