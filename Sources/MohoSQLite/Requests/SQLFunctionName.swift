import MohoRows

/// The names of the SQL functions and collations that requests use. The engine
/// adds them to each connection.
enum SQLFunctionName {
  /// A function that returns whether a text matches. Its arguments are the text,
  /// the kind and the pattern of the match, and its options. Both texts are
  /// blobs.
  static let matches = "moho_matches"

  /// A function that returns whether texts contain all words of a search text.
  /// Its arguments are the search text, followed by the texts, as blobs.
  static let search = "moho_search"

  /// A function that returns the bytes to sort a text by. Its arguments are the
  /// text as a blob and the options.
  static let sortText = "moho_sort_text"

  /// A function that returns the value to sort a text by in a collation. Its
  /// arguments are the text as a blob, the options, the identifier of the locale
  /// and whether numbers are compared by their values.
  static let collateText = "moho_collate_text"

  /// A collation for the values of ``collateText`` that are not sort keys.
  static let textCollation = "moho_text"

  /// A function that returns a text without the differences that options ignore.
  /// Its arguments are the text as a blob and the options.
  static let sectionText = "moho_section_text"

  /// A function that returns the letter under which an index lists a text. Its
  /// arguments are the text as a blob and, optionally, the identifier of the
  /// locale.
  static let indexLetter = "moho_index_letter"

  /// A function that returns the result of exact arithmetic. Its arguments are
  /// the operator and two numbers.
  static let calculate = "moho_calculate"

  /// A function that returns the double nearest to a decimal.
  static let double = "moho_double"

  /// A function that returns a value inside the structured text of a column. Its
  /// arguments are the text, the names of the keys, the number of the path, and
  /// a default in JSON, or null, for each step.
  static let nested = "moho_nested"

  static let decimalSum = "moho_sum"
  static let doubleSum = "moho_double_sum"

  /// A collation that compares texts as decimals.
  static let decimalCollation = "moho_decimal"
}

extension DecimalText {
  /// The SQL clause for comparing texts as decimals.
  static let collationClause = " COLLATE \(SQLFunctionName.decimalCollation)"
}
