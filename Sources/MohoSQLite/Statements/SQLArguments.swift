import GRDB
import GRDBSQLite
import MohoMapping
import MohoRows

/// The arguments of SQL that an app has written, for one or more statements.
///
/// Values are bound in the form that columns store, so that dates and UUIDs can
/// be compared with columns. A parameter such as `$2` is the argument with this number, as
/// on PostgreSQL. All others are the next arguments of each statement.
struct SQLArguments {
  private let sql: AppSQL
  private var boundCount = 0
  private var parameterCount = 0

  init(_ sql: AppSQL) { self.sql = sql }

  /// Binds the arguments of a statement.
  ///
  /// - Throws: A `StoreError` if there are too few arguments, or a
  ///   `MappingError` if a column cannot store an argument.
  mutating func bind(to statement: PreparedStatement) throws {
    let count = sqlite3_bind_parameter_count(statement.pointer)
    var numbers: [Int] = []
    for parameter in 0..<count {
      let name = sqlite3_bind_parameter_name(statement.pointer, parameter + 1)
      if let number = name.flatMap({ Self.number(String(cString: $0)) }) {
        numbers.append(number)
      } else {
        boundCount += 1
        numbers.append(boundCount)
      }
    }
    parameterCount = max(parameterCount, numbers.max() ?? 0)
    if parameterCount > sql.arguments.count {
      try sql.checkArguments(parameterCount: parameterCount)
    }
    try statement.bind(numbers.map { sql.arguments[$0 - 1] })
  }

  /// Checks that all arguments have parameters.
  ///
  /// - Throws: A `StoreError` if there are too many arguments.
  func checkEnd() throws { try sql.checkArguments(parameterCount: parameterCount) }

  /// Returns the number in a name such as `$2`.
  private static func number(_ name: String) -> Int? {
    guard name.hasPrefix("$"), let number = Int(name.dropFirst()), number > 0 else { return nil }
    return number
  }
}
