import Foundation
import GRDB
import MohoMapping

extension Database {
  /// Adds the functions and collations that requests use in their SQL.
  func addStoreFunctions() {
    add(function: TextMatch.function())
    add(function: RowTerm.dangling)
    add(function: SortText.function)
    add(function: ExactArithmetic.function)
    add(function: DecimalText.doubleFunction)
    add(function: DecimalSum.function)
    add(function: DecimalAverage.function)
    add(collation: DecimalText.collation)
  }
}

extension TextMatch {
  static let functionName = "moho_matches"

  /// The SQL function that evaluates a match: of the key's text, the kind, the
  /// text and the options; both texts as bytes. Nil matches nothing.
  ///
  /// A function for each connection, with the matches that it has prepared.
  static func function() -> DatabaseFunction {
    let matchers = PreparedMatchers()
    return DatabaseFunction(functionName, argumentCount: 4, pure: true) { values in
      guard
        let candidate = Data.fromDatabaseValue(values[0]),
        let kind = String.fromDatabaseValue(values[1]).flatMap(Kind.init),
        let text = Data.fromDatabaseValue(values[2]),
        let options = Int.fromDatabaseValue(values[3])
      else { return false }
      let match = TextMatch(
        kind, String(decoding: text, as: UTF8.self), Options(rawValue: options))
      return try matchers.matches(String(decoding: candidate, as: UTF8.self), match)
    }
  }
}

/// The matches that a connection has prepared.
// SAFETY: SQLite calls the functions of a connection from the thread that uses
// the connection, and GRDB lends it to one thread at a time.
private final class PreparedMatchers: @unchecked Sendable {
  private var matchers: [TextMatch: TextMatcher] = [:]

  func matches(_ candidate: String, _ match: TextMatch) throws -> Bool {
    if let matcher = matchers[match] { return matcher.matches(candidate) }
    let matcher = try TextMatcher(match)
    if matchers.count >= 16 { matchers.removeAll() }
    matchers[match] = matcher
    return matcher.matches(candidate)
  }
}

/// The bytes by which texts are ordered, but for what options leave out of
/// account: made once a row, where a collation would make them for each of the
/// comparisons of a sort.
enum SortText {
  static let name = "moho_sort_text"

  static let function = DatabaseFunction(name, argumentCount: 2, pure: true) { values in
    guard
      let text = Data.fromDatabaseValue(values[0]),
      let options = Int.fromDatabaseValue(values[1])
    else { return nil }
    let bytes = String(decoding: text, as: UTF8.self)
      .sortBytes(TextMatch.Options(rawValue: options))
    // No bytes at all would be null.
    return Data([0] + bytes)
  }
}

/// Arithmetic of integers and decimals, which SQLite would carry out as that of
/// doubles where it does not fit, or not at all.
enum ExactArithmetic {
  static let name = "moho_calculate"

  static let function = DatabaseFunction(name, argumentCount: 3, pure: true) { values in
    guard
      let operation = String.fromDatabaseValue(values[0]).flatMap(Arithmetic.init),
      let left = FieldContent(exactly: values[1]), let right = FieldContent(exactly: values[2])
    else { return nil }
    return try operation.result(left, right).databaseValue
  }
}

extension FieldContent {
  /// An integer, or the decimal that a text spells; nil of anything else.
  fileprivate init?(exactly value: DatabaseValue) {
    switch value.storage {
    case .int64(let integer): self = .int64(integer)
    case .string(let text):
      guard let decimal = DecimalText.decimal(text) else { return nil }
      self = .decimal(decimal)
    case .null, .double, .blob: return nil
    }
  }
}

extension DecimalText {
  static let collationClause = " COLLATE moho_decimal"
  static let doubleName = "moho_double"

  /// The double that is nearest to a decimal.
  static let doubleFunction = DatabaseFunction(
    doubleName, argumentCount: 1, pure: true
  ) { values in
    String.fromDatabaseValue(values[0]).flatMap(decimal)?.nearestDouble
  }
}
