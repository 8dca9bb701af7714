import CPostgres
import MohoMapping
import MohoRows

extension PostgresConnection {
  /// Whether `\` escapes characters in all texts of SQL.
  var escapesAllTexts: Bool {
    PQparameterStatus(handle, "standard_conforming_strings").map { String(cString: $0) } == "off"
  }

  /// Executes statements that an app has written, in the current transaction.
  ///
  /// - Throws: A ``StoreError`` if a statement fails or is refused.
  func execute(_ sql: AppSQL) throws {
    for statement in try AppStatements(sql, on: self).statements {
      do {
        try query(statement.sql, PostgresArguments(sql.arguments, of: statement))
      } catch {
        throw statement.explaining(error)
      }
    }
  }
}

extension AppStatement {
  /// Returns an error of the statement, with advice to its author.
  func explaining(_ error: any Error) -> any Error {
    guard var error = error as? StoreError, var cause = error.underlying as? PostgresError else {
      return error
    }
    cause.sql = sql
    error.underlying = cause
    switch cause.sqlState {
    // A procedure or a `DO` block controls the transaction.
    case "2D000":
      return StoreError.controlStatement(
        nil, configuration: "PostgresConfiguration", underlying: cause)
    case "0A000" where cause.message.contains("transaction commands"):
      return StoreError.controlStatement(
        nil, configuration: "PostgresConfiguration", underlying: cause)
    case "42P01", "42703":
      error.suggestion =
        cause.hint ?? #"write names with capital letters in quotation marks: `"Episode"`"#
    // The type of a parameter is not known, or it is used as two types.
    case "42P18", "42P08":
      error.suggestion = "cast the parameter, as in `$1::int8`"
    default: break
    }
    return error
  }
}

extension PostgresArguments {
  /// Creates the arguments of a statement that an app has written.
  ///
  /// Numbers and texts are sent as text, and the server infers their types from their use.
  /// A client that declared an `int8` could not use it as the argument of `substr`, and a
  /// text could not be compared with a `uuid`.
  ///
  /// - Parameter contents: The arguments of all statements of the text.
  init(_ contents: [FieldContent], of statement: AppStatement) throws {
    self.init()
    for number in 0..<statement.parameterCount {
      if statement.parameters.contains(number + 1) {
        try append(inferring: contents[number])
      } else {
        // The server cannot infer the type of a parameter without a use.
        appendNull(.text)
      }
    }
  }

  private mutating func append(inferring content: FieldContent) throws {
    switch content {
    case .null: appendUntypedNull()
    case .bool: try append(content, as: .bool)
    case .date: try append(content, as: .timestamptz)
    case .data: try append(content, as: .bytea)
    case .int64(let value): try append(untyped: "\(value)")
    case .uint64(let value): try append(untyped: "\(value)")
    case .double(let value): try append(untyped: Self.text(of: StoredValue.storable(value)))
    case .decimal(let value): try append(untyped: StoredValue.storable(value))
    case .string(let value): try append(untyped: value)
    case .object, .array, .dictionary:
      throw MappingError(.unsupported, found: content.summary, expected: "flat value")
    }
  }

  /// Returns a number in the form of PostgreSQL. Integral numbers have no point, so that they
  /// are integers where the server needs one.
  private static func text(of value: Double) -> String {
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    return Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
