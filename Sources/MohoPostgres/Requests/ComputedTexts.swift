import Foundation
import MohoMapping
import MohoRows

/// Values of texts that only the client computes exactly: matches, index letters
/// and the keys that sort texts.
///
/// PostgreSQL has neither Swift's characters nor Foundation's folding. Before a
/// request runs, the client reads the texts in the same transaction, computes
/// their values, and passes them to the statement by the identities of the rows.
///
/// The client reads only texts for which PostgreSQL cannot do this itself:
/// - Texts that have only ASCII characters and no carriage return are matched and
///   folded by PostgreSQL.
/// - ``PlainCharacters`` are matched by PostgreSQL, and ``IndexLetters`` are looked up.
/// - Texts of the characters of a ``ServerCollation`` are sorted by PostgreSQL.
struct ComputedTexts {
  /// A function of the texts of a column.
  struct Key: Hashable {
    let entity: String
    let attribute: String
    /// The key of the nested model that the column stores, if it is one.
    let nested: NestedKey?
    /// The locales of the index letters that are computed first.
    let letters: [String?]
    let function: Function
  }

  enum Function: Hashable {
    case matches(TextMatch)
    /// The text without the differences that options ignore.
    case text(TextMatch.Options)
    case collated(TextMatch.Options, TextCollation)
  }

  /// The identities of rows and, except for matches, the values of their texts.
  struct Values {
    var rows: [FieldContent] = []
    var values: [FieldContent] = []
  }

  private var values: [Key: Values] = [:]
  private var collations: [Key: ServerCollation] = [:]

  init() {}

  subscript(key: Key) -> Values? { values[key] }

  /// The collation with which the server sorts the texts, or nil if the process computes
  /// the keys that sort them.
  func collation(_ key: Key) -> ServerCollation? { collations[key] }

  /// Computes the values that a request needs.
  ///
  /// - Parameters:
  ///   - isSectioned: Whether the sections of the rows are read, too.
  ///   - rowIDs: The rows of the request that are read, or nil for all rows.
  init(
    for request: ResolvedRequest, isSectioned: Bool = false, among rowIDs: [Int64]? = nil,
    _ session: PostgresSession
  ) throws {
    var keys = ComputedTextKeys()
    keys.add(request, isSectioned: isSectioned)
    for (key, use) in keys.uses {
      guard let entity = session.schema.entity(key.entity) else { continue }
      if let collation = try Self.collation(
        of: key, use.attribute, entity, among: use.isOwn ? rowIDs : nil, session)
      {
        collations[key] = collation
        continue
      }
      values[key] = try Self.values(
        of: key, use.attribute, entity, among: use.isOwn ? rowIDs : nil, session)
    }
  }

  /// What the process computes before a request runs, for explanations.
  var explanation: [String] {
    values.map { key, values in
      let name = ([key.attribute] + (key.nested?.names.dropFirst() ?? [])).joined(separator: ".")
      return "The process computes \(key.summary) of `\(key.entity).\(name)` for"
        + " \(values.rows.count) rows that the server selects."
    }.sorted()
  }

  /// Returns whether a request needs values that only the client computes.
  static func areNeeded(for request: ResolvedRequest, isSectioned: Bool) -> Bool {
    var keys = ComputedTextKeys()
    keys.add(request, isSectioned: isSectioned)
    return !keys.uses.isEmpty
  }

  private static func values(
    of key: Key, _ attribute: Attribute, _ entity: Entity, among rowIDs: [Int64]?,
    _ session: PostgresSession
  ) throws -> Values {
    let column = try key.column(attribute)
    var arguments = PostgresArguments()
    var conditions = ["\(column) IS NOT NULL"]
    if key.isFast { conditions.append("NOT (\(PostgresDialect.isSimple(column)))") }
    if let plain = key.plainCharacters {
      try arguments.append(plain.othersPattern)
      conditions.append("\(column) ~ $\(arguments.count)")
    }
    if let letters = key.indexLetters {
      try arguments.append(PlainCharacters.characters(for: []).othersPattern)
      try arguments.append(letters.characters)
      let found = PostgresDialect.hasIndexLetter(
        column, "$\(arguments.count - 1)", "$\(arguments.count)")
      conditions.append("NOT (\(found))")
    }
    if case .matches(let match) = key.function, key.letters.isEmpty,
      let narrowed = NarrowedTexts(match)
    {
      try arguments.append(narrowed.argument)
      conditions.append(narrowed.condition(column, parameter: arguments.count))
    }
    let identity = quotedName(entity.identityColumn)
    let sql =
      "SELECT \(identity), \(column) FROM \(quotedName(entity.name))"
      + " WHERE \(Self.joined(conditions, entity, among: rowIDs, &arguments))"
    var values = Values()
    let compute = try key.computation()
    for row in try session.connection.query(sql, arguments).rows {
      guard let value = try compute(row.string(1)) else { continue }
      values.rows.append(.int64(row.int64(0)))
      if !value.isNull { values.values.append(value) }
    }
    return values
  }
}

extension ComputedTexts {
  /// Returns the collation with which the server sorts the texts of a column, or nil if a
  /// text has characters whose order the server may not know.
  private static func collation(
    of key: Key, _ attribute: Attribute, _ entity: Entity, among rowIDs: [Int64]?,
    _ session: PostgresSession
  ) throws -> ServerCollation? {
    guard case .collated([], let collation) = key.function, key.letters.isEmpty,
      let found = try session.connection.collations?[collation]
    else { return nil }
    let column = try key.column(attribute)
    var arguments = PostgresArguments()
    try arguments.append(found.othersPattern)
    let conditions = ["octet_length(\(column)) <> length(\(column))", "\(column) ~ $1"]
    let others = try session.connection.query(
      "SELECT FROM \(quotedName(entity.name))"
        + " WHERE \(joined(conditions, entity, among: rowIDs, &arguments)) LIMIT 1", arguments)
    return others.first == nil ? found : nil
  }

  private static func joined(
    _ conditions: [String], _ entity: Entity, among rowIDs: [Int64]?,
    _ arguments: inout PostgresArguments
  ) -> String {
    var conditions = conditions
    if let rowIDs {
      arguments.append(rowIDs)
      conditions.append("\(quotedName(entity.identityColumn)) = ANY($\(arguments.count))")
    }
    return conditions.joined(separator: " AND ")
  }
}

extension ComputedTexts.Key {
  fileprivate var summary: String {
    switch function {
    case .matches: "the matches"
    case .text: letters.isEmpty ? "the texts without ignored differences" : "the index letters"
    case .collated(_, let collation): "the order \(collation)"
    }
  }

  /// Returns the SQL of the text.
  fileprivate func column(_ attribute: Attribute) throws -> String {
    let name = quotedName(attribute.name)
    return try nested.map { try PostgresDialect.nested($0, in: name) }
      ?? PostgresDialect.text(name, attribute.type)
  }

  /// Whether PostgreSQL computes the values of simple texts.
  var isFast: Bool {
    guard letters.isEmpty else { return false }
    return switch function {
    case .matches(let match): match.kind != .matches
    case .text: true
    case .collated: false
    }
  }

  /// The characters whose texts PostgreSQL matches by a regular expression. Nil if it
  /// matches only simple texts, or none.
  var plainCharacters: PlainCharacters? {
    // PostgreSQL refuses very complex expressions.
    guard case .matches(let match) = function, isFast, match.text.utf8.count <= 200 else {
      return nil
    }
    return .characters(for: match.options)
  }

  /// The index letters that PostgreSQL looks up, if the function is one.
  var indexLetters: IndexLetters? {
    guard letters.count == 1, function == .text([]) else { return nil }
    return .letters(in: letters[0])
  }

  /// Returns the function. It returns nil for texts that do not match, and null
  /// for those that do.
  fileprivate func computation() throws -> (String) throws -> FieldContent? {
    let letters = letters
    func prepared(_ text: String) -> String { letters.reduce(text) { $0.indexLetter(in: $1) } }
    switch function {
    case .matches(let match):
      let matcher = try TextMatcher(match)
      return { matcher.matches(prepared($0)) ? .null : nil }
    case .text(let options):
      return { text in
        .string(options.isEmpty ? prepared(text) : prepared(text).sectionText(options))
      }
    case .collated(let options, let collation):
      let collator = TextCollator.collator(for: collation)
      guard collator.hasSortKeys else {
        throw StoreError(
          .invalidRequest, reason: "the order \(collation) requires ICU",
          suggestion: "sort by the bytes of the text")
      }
      return { collator.sortContent(of: prepared($0), options) }
    }
  }
}

/// The values that a request needs.
private struct ComputedTextKeys {
  struct Use {
    let attribute: Attribute
    /// Whether only texts of the request's own rows are needed.
    var isOwn: Bool
  }

  private(set) var uses: [ComputedTexts.Key: Use] = [:]

  mutating func add(_ request: ResolvedRequest, isSectioned: Bool) {
    add(request.filter, 0)
    for operand in request.selection + (request.groupLimit?.keys ?? []) { add(operand, 0) }
    for (index, ordering) in request.orderings.enumerated() {
      let (operand, options) = (ordering.operand, ordering.ordering.options)
      if let collation = ordering.ordering.collation {
        add(operand, .collated(options, collation), 0)
      } else if !options.isEmpty {
        add(operand, .text(options), 0)
      } else {
        add(operand, 0)
      }
      if isSectioned, index == 0, ordering.ordering.transformsText {
        if options.isEmpty { add(operand, 0) } else { add(operand, .text(options), 0) }
      }
    }
  }

  private mutating func add(_ filter: ResolvedFilter, _ depth: Int) {
    switch filter {
    case .comparison(let left, _, let right, _):
      add(left, depth)
      add(right, depth)
    case .oneOf(let operand, _, _): add(operand, depth)
    // PostgreSQL compares bytes itself.
    case .text(.value, let match) where match.comparesBytes,
      .text(.nested, let match) where match.comparesBytes:
      break
    case .text(let operand, let match): add(operand, .matches(match), depth)
    case .related(_, _, let filter): add(filter, depth + 1)
    case .and(let filters), .or(let filters): for filter in filters { add(filter, depth) }
    case .not(let filter): add(filter, depth)
    case .search, .isLinked, .isSame: break
    }
  }

  private mutating func add(_ operand: ResolvedOperand, _ depth: Int) {
    switch operand {
    case .arithmetic(let left, _, let right, _):
      add(left, depth)
      add(right, depth)
    case .indexLetter: add(operand, .text([]), depth)
    case .count(_, let filter): add(filter, depth + 1)
    case .filtered(let value, let filter):
      add(value, depth)
      add(filter, depth)
    case .value, .nested, .identity, .constant, .search: break
    }
  }

  private mutating func add(
    _ operand: ResolvedOperand, _ function: ComputedTexts.Function, _ depth: Int
  ) {
    guard let text = ComputedText(operand, function) else { return }
    let isOwn = text.path.steps.isEmpty && text.path.level == depth
    uses[text.key, default: Use(attribute: text.attribute, isOwn: true)].isOwn =
      isOwn
      && uses[text.key]?.isOwn ?? true
  }
}

/// A function of the text of a row.
struct ComputedText {
  let path: RowReferencePath
  let attribute: Attribute
  let key: ComputedTexts.Key

  /// Returns nil if the text is a constant.
  init?(_ operand: ResolvedOperand, _ function: ComputedTexts.Function) {
    var (operand, letters) = (operand, [String?]())
    while case .indexLetter(let text, let locale) = operand {
      letters.insert(locale, at: 0)
      operand = text
    }
    let nested: NestedKey?
    switch operand {
    case .value(let path, let attribute):
      (self.path, self.attribute, nested) = (path, attribute, nil)
    case .nested(let path, let attribute, let key):
      (self.path, self.attribute, nested) = (path, attribute, key)
    case .identity, .constant, .arithmetic, .indexLetter, .count, .filtered, .search: return nil
    }
    key = ComputedTexts.Key(
      entity: path.entity.name, attribute: attribute.name, nested: nested, letters: letters,
      function: function)
  }
}
