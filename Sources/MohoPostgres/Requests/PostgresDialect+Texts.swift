import Foundation
import MohoMapping
import MohoRows

extension PostgresDialect {
  /// Returns the SQL of a text column, which is compared by its bytes.
  static func text(_ column: String, _ type: AttributeType) -> String {
    switch type {
    case .uuid: "upper(\(column)::text COLLATE \"C\")"
    case .structured: "(\(PostgresFunctions.json)(\(column)) COLLATE \"C\")"
    default: column
    }
  }

  /// Returns the condition that each byte of a text is a character, so that the
  /// order, the matches and the folding of bytes are those of characters.
  static func isSimple(_ text: String) -> String {
    "octet_length(\(text)) = length(\(text)) AND strpos(\(text), E'\\r') = 0"
  }

  func text(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ match: TextMatch
  ) throws -> String {
    if operand.isColumn, match.comparesBytes { return try byteMatch(&writer, operand, match) }
    guard let text = ComputedText(operand, .matches(match)) else {
      let constant = try constantText(operand)
      return constant.map { match.matches($0) } ?? false ? always : never
    }
    let rows = try values(of: text.key).rows
    let computed =
      rows.isEmpty
      ? never : "\(writer.identity(of: text.path)) = ANY(\(try writer.bind(.array(rows))))"
    guard text.key.isFast else { return computed }
    let column = try self.text(&writer, operand)
    let simple = try simpleMatch(&writer, column, match)
    let others = try otherMatch(&writer, column, match, text.key.plainCharacters, computed)
    let condition = "CASE WHEN \(Self.isSimple(column)) THEN \(simple) \(others) END"
    return try searchingRange(&writer, operand, column, match, condition)
  }

  /// Returns the part of a `CASE` for texts that are not simple.
  ///
  /// - Parameters:
  ///   - plain: The characters whose texts the server matches, or nil if it matches none.
  ///   - computed: The condition for the texts that the process has matched.
  private func otherMatch(
    _ writer: inout SQLWriter, _ column: String, _ match: TextMatch, _ plain: PlainCharacters?,
    _ computed: String
  ) throws -> String {
    guard let plain else { return "ELSE \(computed)" }
    let others = try writer.bind(.string(plain.othersPattern))
    let expression = try plain.expression(match).map { try writer.bind(.string($0)) }
    let condition = expression.map { "\(column) ~ \($0)" } ?? never
    return "WHEN \(column) ~ \(others) THEN \(computed) ELSE \(condition)"
  }

  /// Returns a condition with the range of the texts that match, which an index
  /// can search.
  private func searchingRange(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ column: String, _ match: TextMatch,
    _ condition: String
  ) throws -> String {
    guard case .value = operand, let range = match.range else { return condition }
    let lower = try writer.bind(.string(range.lowerBound))
    let upper = try writer.bind(.string(range.upperBound))
    return "(\(column) >= \(lower) AND \(column) < \(upper) AND \(condition))"
  }

  /// Returns the condition that a text has the bytes of a match.
  private func byteMatch(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ match: TextMatch
  ) throws -> String {
    // No stored text has a null character.
    if match.text.utf8.contains(0) { return never }
    let column = try text(&writer, operand)
    let pattern = try writer.bind(.string(match.text))
    return try searchingRange(
      &writer, operand, column, match,
      Self.condition(match.kind, column, pattern, count: match.text.unicodeScalars.count))
  }

  /// Returns the condition that a text contains, starts with, ends with or equals
  /// another one with a number of characters.
  private static func condition(
    _ kind: TextMatch.Kind, _ text: String, _ pattern: String, count: Int
  ) -> String {
    switch kind {
    case .contains: "strpos(\(text), \(pattern)) > 0"
    case .hasPrefix: "starts_with(\(text), \(pattern))"
    case .hasSuffix: "right(\(text), \(count)) = \(pattern)"
    case .equals, .like, .matches: "\(text) = \(pattern)"
    }
  }

  /// Returns the condition that a simple text matches.
  private func simpleMatch(
    _ writer: inout SQLWriter, _ column: String, _ match: TextMatch
  ) throws -> String {
    let text = match.options.contains(.caseInsensitive) ? "lower(\(column) COLLATE \"C\")" : column
    if match.kind == .like {
      guard let pattern = match.simplePattern else { return never }
      return "\(text) LIKE \(try writer.bind(.string(pattern)))"
    }
    let folded = match.text.folded(match.options).precomposedStringWithCanonicalMapping
    if folded.isEmpty, match.kind != .equals { return always }
    guard folded.isSimple else { return never }
    let pattern = try writer.bind(.string(folded))
    return Self.condition(match.kind, text, pattern, count: folded.utf8.count)
  }

  func indexLetter(
    _ writer: inout SQLWriter, _ text: ResolvedOperand, locale: String?
  ) throws -> String {
    let operand = ResolvedOperand.indexLetter(text, locale: locale)
    guard let computed = ComputedText(operand, .text([])) else {
      let letter = try constantText(operand)
      return try constant(&writer, letter.map { .string($0) } ?? .null)
    }
    let value = try join(&writer, computed)
    guard let letters = computed.key.indexLetters, case .indexLetter(let source, _) = operand else {
      return "(\(value) COLLATE \"C\")"
    }
    let column = try self.text(&writer, source)
    let others = try writer.bind(.string(PlainCharacters.characters(for: []).othersPattern))
    let characters = try writer.bind(.string(letters.characters))
    let result = try writer.bind(.string(letters.letters))
    return "((CASE WHEN \(Self.hasIndexLetter(column, others, characters))"
      + " THEN translate(left(\(column), 1), \(characters), \(result)) ELSE \(value) END)"
      + " COLLATE \"C\")"
  }

  /// Returns the condition that PostgreSQL looks up the index letter of a text.
  ///
  /// - Parameters:
  ///   - others: The expression ``PlainCharacters/othersPattern``.
  ///   - characters: The ``IndexLetters/characters``.
  static func hasIndexLetter(_ text: String, _ others: String, _ characters: String) -> String {
    // Two plain characters do not combine.
    "\(text) <> '' AND left(\(text), 2) !~ \(others)"
      + " AND strpos(\(characters), left(\(text), 1)) > 0"
  }

  /// Returns the SQL of the value that sorts a text in an order with options or
  /// a collation.
  func sortText(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ ordering: Ordering
  ) throws -> String {
    guard let collation = ordering.collation else {
      return try foldedText(&writer, operand, ordering.options)
    }
    guard let computed = ComputedText(operand, .collated(ordering.options, collation)) else {
      // All rows have the same constant.
      return "NULL::int8"
    }
    if let collation = self.computed.collation(computed.key) {
      return "(\(try text(&writer, operand)) COLLATE \(collation.name))"
    }
    return try join(&writer, computed)
  }

  /// Returns the SQL of a text without the differences that options ignore.
  func foldedText(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ options: TextMatch.Options
  ) throws -> String {
    guard let computed = ComputedText(operand, .text(options)) else {
      let text = try constantText(operand)
      return try constant(&writer, text.map { .string($0.sectionText(options)) } ?? .null)
    }
    let value = try join(&writer, computed)
    guard computed.key.isFast else { return "(\(value) COLLATE \"C\")" }
    let column = try text(&writer, operand)
    let simple =
      options.contains(.caseInsensitive) ? "lower(\(column) COLLATE \"C\")" : column
    return "((CASE WHEN \(Self.isSimple(column)) THEN \(simple) ELSE \(value) END) COLLATE \"C\")"
  }

  /// Joins the computed values of a row's text, and returns the column with the
  /// value.
  private func join(_ writer: inout SQLWriter, _ text: ComputedText) throws -> String {
    let values = try values(of: text.key)
    if values.rows.isEmpty {
      if case .collated = text.key.function { return "NULL::bytea" }
      return "NULL::text"
    }
    let identity = writer.identity(of: text.path)
    let alias = writer.newAlias()
    let rows = try writer.bind(.array(values.rows))
    let list = try writer.bind(.array(values.values))
    let source = writer.sources.count - 1 - text.path.level
    writer.sources[source].joins +=
      " LEFT JOIN unnest(\(rows), \(list)) AS \(alias)(id, value) ON \(alias).id = \(identity)"
    return "\(alias).value"
  }

  private func values(of key: ComputedTexts.Key) throws -> ComputedTexts.Values {
    guard let values = computed[key] else {
      throw StoreError(
        .invalidRequest, reason: "the texts of `\(key.entity).\(key.attribute)` were not read")
    }
    return values
  }

  /// The value of a text that does not depend on rows, or nil for null.
  private func constantText(_ operand: ResolvedOperand) throws -> String? {
    switch operand {
    case .constant(.string(let text)): text
    case .indexLetter(let text, let locale): try constantText(text)?.indexLetter(in: locale)
    case .constant: nil
    default:
      throw StoreError(.invalidRequest, reason: "PostgreSQL cannot compute the text of a request")
    }
  }
}

extension ResolvedOperand {
  /// Whether the operand is the value of a column, or inside of it.
  fileprivate var isColumn: Bool {
    switch self {
    case .value, .nested: true
    case .identity, .constant, .arithmetic, .indexLetter, .count, .filtered, .search: false
    }
  }
}

extension String {
  /// Whether each byte is a character of its own. See
  /// ``PostgresDialect/isSimple(_:)``.
  fileprivate var isSimple: Bool { utf8.allSatisfy { $0 > 0 && $0 < 0x80 && $0 != 0x0D } }
}

extension TextMatch {
  /// The pattern of SQL's `LIKE`, or nil if no simple text matches.
  fileprivate var simplePattern: String? {
    var pattern = ""
    for element in WildcardElement.pattern(text, options) {
      switch element {
      case .anyText: pattern += "%"
      case .anyCharacter: pattern += "_"
      case .character(let character):
        let text = String(character)
        guard text.isSimple else { return nil }
        if ["%", "_", "\\"].contains(text) { pattern += "\\" }
        pattern += text
      }
    }
    return pattern
  }
}
