import Foundation
import GRDB
import MohoMapping
import MohoRows

extension Database {
  /// Adds the functions and the collation of `SQLFunctionName`.
  func addStoreFunctions() {
    add(function: TextMatch.function())
    add(function: SearchMatcher.function())
    add(function: RowTerm.dangling)
    add(function: DatabaseFunction.sortText)
    add(function: DatabaseFunction.collateText)
    add(function: DatabaseFunction.sectionText)
    add(function: DatabaseFunction.indexLetter)
    add(function: DatabaseFunction.localizedIndexLetter)
    add(function: DatabaseFunction.calculate)
    add(function: DatabaseFunction.nearestDouble)
    add(function: DecimalSum.function)
    add(function: DoubleSum.function)
    add(collation: DecimalText.collation)
    add(collation: TextCollator.collation)
  }
}

extension TextMatch {
  /// Returns a function for one connection, which caches prepared matches. Null
  /// matches nothing.
  fileprivate static func function() -> DatabaseFunction {
    let matchers = PreparedMatchers()
    return DatabaseFunction(SQLFunctionName.matches, argumentCount: 4, pure: true) { values in
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

/// The prepared matches of a connection.
// SAFETY: SQLite calls the functions of a connection on the thread that uses the
// connection, and GRDB serializes the access to it.
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

extension SearchMatcher {
  /// Returns a function for one connection, which caches prepared searches.
  fileprivate static func function() -> DatabaseFunction {
    let searches = PreparedSearches()
    return DatabaseFunction(SQLFunctionName.search, argumentCount: nil, pure: true) { values in
      guard let text = values.first.flatMap({ Data.fromDatabaseValue($0) }) else { return false }
      return try searches.matcher(for: text).matches(
        values.dropFirst().lazy.compactMap { value in
          Data.fromDatabaseValue(value).map { String(decoding: $0, as: UTF8.self) }
        })
    }
  }
}

/// The prepared searches of a connection.
// SAFETY: As for ``PreparedMatchers``.
private final class PreparedSearches: @unchecked Sendable {
  private var matchers: [Data: SearchMatcher] = [:]

  /// - Parameter text: The description of a search text, in UTF-8.
  func matcher(for text: Data) throws -> SearchMatcher {
    if let matcher = matchers[text] { return matcher }
    guard let tokenizer = SearchTokenizer.shared else {
      throw StoreError(.searchUnavailable, reason: "SQLite was built without FTS5")
    }
    let matcher = SearchMatcher(SearchText(String(decoding: text, as: UTF8.self)), tokenizer)
    if matchers.count >= 16 { matchers.removeAll() }
    matchers[text] = matcher
    return matcher
  }
}

extension DatabaseFunction {
  /// A function that returns the bytes to sort a text by. The bytes ignore the
  /// differences of the options. The function is called once per row. A
  /// collation would compute the bytes for each comparison.
  fileprivate static let sortText = DatabaseFunction(
    SQLFunctionName.sortText, argumentCount: 2, pure: true
  ) { values in
    guard
      let text = Data.fromDatabaseValue(values[0]),
      let options = Int.fromDatabaseValue(values[1])
    else { return nil }
    let bytes = String(decoding: text, as: UTF8.self)
      .sortBytes(TextMatch.Options(rawValue: options))
    // GRDB returns null for empty data.
    return Data([0] + bytes)
  }

  /// A function that returns the value to sort a text by in a collation. Like
  /// ``sortText``, it is called once per row.
  fileprivate static let collateText = DatabaseFunction(
    SQLFunctionName.collateText, argumentCount: 4, pure: true
  ) { values in
    guard
      let text = Data.fromDatabaseValue(values[0]),
      let options = Int.fromDatabaseValue(values[1]),
      let locale = String.fromDatabaseValue(values[2]),
      let comparesNumbers = Bool.fromDatabaseValue(values[3])
    else { return nil }
    let collation = TextCollation(localeIdentifier: locale, comparesNumbers: comparesNumbers)
    let content = TextCollator.collator(for: collation).sortContent(
      of: String(decoding: text, as: UTF8.self), TextMatch.Options(rawValue: options))
    return switch content {
    case .data(let key): key
    case .string(let text): text
    default: nil
    }
  }

  fileprivate static let sectionText = DatabaseFunction(
    SQLFunctionName.sectionText, argumentCount: 2, pure: true
  ) { values in
    guard
      let text = Data.fromDatabaseValue(values[0]),
      let options = Int.fromDatabaseValue(values[1])
    else { return nil }
    return String(decoding: text, as: UTF8.self)
      .sectionText(TextMatch.Options(rawValue: options))
  }

  fileprivate static let indexLetter = DatabaseFunction(
    SQLFunctionName.indexLetter, argumentCount: 1, pure: true
  ) { values in
    Data.fromDatabaseValue(values[0])
      .map { String(decoding: $0, as: UTF8.self).indexLetter(in: nil) }
  }

  fileprivate static let localizedIndexLetter = DatabaseFunction(
    SQLFunctionName.indexLetter, argumentCount: 2, pure: true
  ) { values in
    Data.fromDatabaseValue(values[0]).map {
      String(decoding: $0, as: UTF8.self).indexLetter(in: String.fromDatabaseValue(values[1]))
    }
  }

  /// A function that calculates with integers and decimals. SQLite would
  /// calculate in double precision if integers overflow, and has no decimals.
  fileprivate static let calculate = DatabaseFunction(
    SQLFunctionName.calculate, argumentCount: 3, pure: true
  ) { values in
    guard
      let operation = String.fromDatabaseValue(values[0]).flatMap(Arithmetic.init),
      let left = FieldContent(exactly: values[1]), let right = FieldContent(exactly: values[2])
    else { return nil }
    return operation.result(left, right).exactNumber
  }

  fileprivate static let nearestDouble = DatabaseFunction(
    SQLFunctionName.double, argumentCount: 1, pure: true
  ) { values in
    String.fromDatabaseValue(values[0]).flatMap(DecimalText.decimal)?.nearestDouble
  }
}

extension FieldContent {
  /// Creates an integer, or a decimal from its text. Returns nil for other
  /// values.
  fileprivate init?(exactly value: DatabaseValue) {
    switch value.storage {
    case .int64(let integer): self = .int64(integer)
    case .string(let text):
      guard let decimal = DecimalText.decimal(text) else { return nil }
      self = .decimal(decimal)
    case .null, .double, .blob: return nil
    }
  }

  /// An integer or a decimal in the form that columns store, or nil for other
  /// contents.
  fileprivate var exactNumber: (any DatabaseValueConvertible)? {
    switch self {
    case .int64(let value): value
    case .decimal(let value): value.isNaN ? nil : value.description
    default: nil
    }
  }
}

extension DecimalText {
  /// A collation that sorts texts by their decimal values. Texts that are not
  /// decimals come last.
  fileprivate static let collation = DatabaseCollation(
    SQLFunctionName.decimalCollation
  ) { left, right in
    switch (decimal(left), decimal(right)) {
    case (let left?, let right?): order(left, right)
    case (_?, nil): .orderedAscending
    case (nil, _?): .orderedDescending
    case (nil, nil): order(left, right)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }
}

extension TextCollator {
  /// A collation that compares the values of `SQLFunctionName.collateText` where
  /// they are not sort keys.
  fileprivate static let collation = DatabaseCollation(
    SQLFunctionName.textCollation
  ) { left, right in
    let order = order(left, right)
    return order < 0 ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending
  }
}

/// The sum of decimals, rounded once. Null if there are no decimals, or if the
/// sum is out of range.
private struct DecimalSum: DatabaseAggregate {
  static let function = DatabaseFunction(
    SQLFunctionName.decimalSum, argumentCount: 1, pure: true, aggregate: DecimalSum.self)

  private var sum: ExactDecimal?

  mutating func step(_ values: [DatabaseValue]) {
    guard let decimal = String.fromDatabaseValue(values[0]).flatMap(DecimalText.decimal) else {
      return
    }
    sum = (sum ?? .zero) + ExactDecimal(decimal)
  }

  func finalize() -> (any DatabaseValueConvertible)? {
    sum?.decimal.flatMap { FieldContent.decimal($0).exactNumber }
  }
}

/// The exact sum of doubles, rounded once. Null if there are no doubles.
private struct DoubleSum: DatabaseAggregate {
  static let function = DatabaseFunction(
    SQLFunctionName.doubleSum, argumentCount: 1, pure: true, aggregate: DoubleSum.self)

  private var sum: ExactDoubleSum?

  mutating func step(_ values: [DatabaseValue]) {
    guard let number = Double.fromDatabaseValue(values[0]) else { return }
    sum = sum ?? ExactDoubleSum()
    sum?.add(number)
  }

  func finalize() -> (any DatabaseValueConvertible)? { sum?.value }
}
