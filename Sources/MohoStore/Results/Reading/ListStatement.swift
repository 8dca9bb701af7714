import GRDB
import MohoMapping
import Synchronization

/// A statement whose condition ends with a list of integers, kept prepared for
/// lists of all lengths.
final class ListStatement: Sendable {
  private let head: String
  private let tail: String
  private let arguments: [DatabaseValue]

  /// One statement for lists of up to one integer, two, four and so on, and the
  /// last one for any more.
  private let statements: Lock<[KeptStatement?]>

  /// Up to how many integers have parameters of their own, as a power of two.
  private static let marked = 6

  /// - Parameters:
  ///   - head: What comes before `IN`.
  ///   - tail: What comes behind the list.
  ///   - arguments: The values of the parameters of both.
  init(_ head: String, tail: String = "", binding arguments: [DatabaseValue] = []) {
    self.head = head
    self.tail = tail
    self.arguments = arguments
    statements = Lock(Array(repeating: nil, count: Self.marked + 2))
  }

  /// The statement for the values of rows of a table by their identities, which
  /// come first.
  convenience init(written columns: [String], of table: String, identity: String) {
    let names = ([identity] + columns).map(quoted).joined(separator: ", ")
    self.init("SELECT \(names) FROM \(quoted(table)) WHERE \(quoted(identity))")
  }

  /// The statement for a list, with all values bound.
  func query(for values: some Collection<Int64>, _ database: Database) throws -> PreparedQuery {
    let count = max(1, values.count)
    let size = min(Int.bitWidth - (count - 1).leadingZeroBitCount, Self.marked + 1)
    let query = try PreparedQuery(statement(of: size), arguments, database)
    guard size <= Self.marked else {
      try query.bind(Self.json(values), at: 0)
      return query
    }
    // The last one again and again up to a power of two: each count is a
    // statement of its own, and statements are kept.
    var (index, last) = (0, Int64(0))
    for value in values {
      try query.bind(value, at: index)
      (index, last) = (index + 1, value)
    }
    while index < 1 << size {
      try query.bind(last, at: index)
      index += 1
    }
    return query
  }

  private func statement(of size: Int) -> KeptStatement {
    statements.withLock { statements in
      if let statement = statements[size] { return statement }
      let first = arguments.count + 1
      let list =
        size > Self.marked
        ? "SELECT value FROM json_each(?\(first))"
        : (0..<1 << size).map { "?\(first + $0)" }.joined(separator: ", ")
      let statement = KeptStatement("\(head) IN (\(list))\(tail)")
      statements[size] = statement
      return statement
    }
  }

  private static func json(_ values: some Collection<Int64>) -> String {
    var text = "["
    text.reserveCapacity(values.count * 8)
    for value in values {
      if text.utf8.count > 1 { text += "," }
      text += String(value)
    }
    return text + "]"
  }
}
