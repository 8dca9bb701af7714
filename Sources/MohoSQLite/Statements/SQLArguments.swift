import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// The arguments of SQL that an app has written, for one or more statements.
///
/// Values are bound in the form that columns store, so that dates and UUIDs can
/// be compared with columns.
struct SQLArguments {
  private let contents: [FieldContent]
  private var boundCount = 0

  /// - Throws: A `MappingError` if a value cannot be written.
  init(_ values: [any FieldValue]) throws {
    contents = try values.map { try FieldRecorder.content(of: $0) }
  }

  /// Binds the next arguments to the parameters of a statement.
  ///
  /// - Throws: A `StoreError` if there are too few arguments, or a
  ///   `MappingError` if a column cannot store an argument.
  mutating func bind(to statement: PreparedStatement) throws {
    let count = Int(sqlite3_bind_parameter_count(statement.pointer))
    guard count <= contents.count - boundCount else { throw wrongCount(boundCount + count) }
    try statement.bind(Array(contents[boundCount..<(boundCount + count)]))
    boundCount += count
  }

  /// Checks that all arguments have been bound.
  ///
  /// - Throws: A `StoreError` if there are too many arguments.
  func checkEnd() throws {
    guard boundCount == contents.count else { throw wrongCount(boundCount) }
  }

  private func wrongCount(_ count: Int) -> StoreError {
    StoreError(
      .invalidRequest,
      reason: "the SQL has \(count) parameters, but there are \(contents.count) arguments")
  }
}
