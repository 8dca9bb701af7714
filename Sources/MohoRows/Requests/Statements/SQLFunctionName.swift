/// The names of the SQL functions and collations that requests use. The engine
/// adds them to each connection.
package enum SQLFunctionName {
  /// Whether a text matches: of the text, the kind and the pattern of the match,
  /// and its options. Both texts are blobs.
  package static let matches = "moho_matches"

  /// The bytes that order a text, of the text as a blob and the options.
  package static let sortText = "moho_sort_text"

  /// The result of exact arithmetic, of the operator and two numbers.
  package static let calculate = "moho_calculate"

  /// The double nearest to a decimal.
  package static let double = "moho_double"

  package static let decimalSum = "moho_sum"
  package static let decimalAverage = "moho_average"

  /// The collation that compares texts by their decimals.
  package static let decimalCollation = "moho_decimal"
}

extension DecimalText {
  /// The SQL that compares texts by their decimals.
  package static let collationClause = " COLLATE \(SQLFunctionName.decimalCollation)"
}
