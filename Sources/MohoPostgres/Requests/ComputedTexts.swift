import Foundation
import MohoMapping
import MohoRows

/// Values of texts that only the client computes exactly: matches, index letters
/// and the keys that sort texts.
///
/// PostgreSQL has neither Swift's characters nor Foundation's folding. Before a
/// request runs, the client reads the texts in the same transaction, computes
/// their values, and passes them to the statement by the identities of the rows.
/// Texts that have only ASCII characters and no carriage return are matched,
/// folded and sorted by PostgreSQL itself.
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

  init() {}

  subscript(key: Key) -> Values? { values[key] }

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
      values[key] = try Self.values(
        of: key, use.attribute, entity, among: use.isOwn ? rowIDs : nil, session)
    }
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
    let name = quotedName(attribute.name)
    let column =
      try key.nested.map { try PostgresDialect.nested($0, in: name) }
      ?? PostgresDialect.text(name, attribute.type)
    var arguments = PostgresArguments()
    var conditions = ["\(column) IS NOT NULL"]
    if key.isFast { conditions.append("NOT (\(PostgresDialect.isSimple(column)))") }
    if case .matches(let match) = key.function, key.letters.isEmpty,
      let narrowed = NarrowedTexts(match)
    {
      try arguments.append(narrowed.argument)
      conditions.append(narrowed.condition(column, parameter: arguments.count))
    }
    let identity = quotedName(entity.identityColumn)
    if let rowIDs {
      arguments.append(rowIDs)
      conditions.append("\(identity) = ANY($\(arguments.count))")
    }
    let sql =
      "SELECT \(identity), \(column) FROM \(quotedName(entity.name))"
      + " WHERE \(conditions.joined(separator: " AND "))"
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

extension ComputedTexts.Key {
  /// Whether PostgreSQL computes the values of simple texts.
  var isFast: Bool {
    guard letters.isEmpty else { return false }
    return switch function {
    case .matches(let match): match.kind != .matches
    case .text: true
    case .collated: false
    }
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
    for operand in request.selection { add(operand, 0) }
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
    case .identity, .constant, .arithmetic, .indexLetter, .count, .search: return nil
    }
    key = ComputedTexts.Key(
      entity: path.entity.name, attribute: attribute.name, nested: nested, letters: letters,
      function: function)
  }
}
