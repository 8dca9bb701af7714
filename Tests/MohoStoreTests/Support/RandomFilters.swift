import Foundation
import MohoMapping
import MohoTesting

@testable import MohoRows

/// Generates random filters and orderings for the rows of a schema.
struct RandomFilters {
  var values: RandomValues
  let schema: Schema
  /// The entities of the current condition and the conditions around it.
  private var entities: [Entity]

  init(_ values: RandomValues, _ schema: Schema, _ entity: Entity) {
    self.values = values
    self.schema = schema
    entities = [entity]
  }

  mutating func request(depth: Int) -> RowRequest {
    var request = RowRequest(entities[0].name)
    request.filter = filter(depth: depth)
    for _ in 0..<values.generator.below(3) { request = request.order(by: ordering()) }
    if values.generator.oneIn(4) { request.groupLimit = groupLimit() }
    if values.generator.oneIn(4) { request = request.limit(values.generator.below(5)) }
    if values.generator.oneIn(4) { request = request.offset(values.generator.below(3)) }
    return request
  }

  private mutating func filter(depth: Int) -> Filter {
    guard depth > 1, !values.generator.oneIn(5) else { return condition(depth) }
    switch values.generator.below(6) {
    case 0: return .not(filter(depth: depth - 1))
    case 1: return .and(filters(depth - 1))
    case 2: return .or(filters(depth - 1))
    default:
      guard let (name, destination) = many() else { return condition(depth) }
      let inner = inside(destination) { $0.filter(depth: depth - 1) }
      return .related(name, values.pick([.any, .all, .none]), inner)
    }
  }

  private mutating func filters(_ depth: Int) -> [Filter] {
    (0..<values.generator.below(4)).map { _ in filter(depth: depth) }
  }

  private mutating func inside<Result>(
    _ entity: Entity, _ body: (inout RandomFilters) -> Result
  ) -> Result {
    entities.append(entity)
    defer { entities.removeLast() }
    return body(&self)
  }

  private mutating func condition(_ depth: Int) -> Filter {
    let type = values.pick(Self.types)
    if type == .unsigned, values.generator.oneIn(2), let key = key(.unsigned) {
      return unsigned(key)
    }
    switch values.generator.below(11) {
    case 10: return search()
    case 0...3:
      let comparison = values.pick(Filter.Comparison.allCases)
      return .comparison(operand(type, depth), comparison, operand(type, depth))
    case 4:
      let constants = (0..<values.generator.below(5)).map { _ in values.constant(type) }
      return .oneOf(operand(type, depth), constants)
    case 5, 6: return .text(operand(.string, depth), match())
    case 7:
      guard let (name, _) = one() else { return .always }
      return .comparison(.key(name), values.pick([.equal, .notEqual]), .constant(.null))
    case 8:
      guard let (name, entity) = one(), let (other, same) = one(), same == entity else {
        return .never
      }
      return .comparison(.key(name), values.pick([.equal, .notEqual]), .key(other))
    default:
      let (name, _) = one() ?? (KeyName([]), entities[entities.count - 1])
      return .row(name, .identity(Int64(1 + values.generator.below(5))))
    }
  }

  /// Generates a search of a row, or of the row that a to-one relationship refers
  /// to.
  private mutating func search() -> Filter {
    let (name, entity) =
      values.generator.oneIn(3) ? one() ?? (start()) : start()
    let keys = entity.searchableKeys.filter { _ in values.generator.oneIn(3) }
    let parts = (0...values.generator.below(3)).map { _ in
      values.pick(["", "\"", " "]) + values.text() + values.pick(["", "*", "\"", "\"*"])
    }
    let text = SearchText(
      parts.joined(separator: " "), lastWord: values.pick([.whole, .prefix]))
    return .search(name, text, in: keys.map { name.appending($0) })
  }

  mutating func match() -> TextMatch {
    let options = TextMatch.Options(rawValue: values.generator.below(4))
    let kind = values.pick(TextMatch.Kind.allCases)
    switch kind {
    case .matches:
      let patterns = ["a.*", ".", "\\w+", "[a-zé]*", "(a|b|ss)*", ".*\\s", "", "[^a]", "É|e"]
      return TextMatch(kind, values.pick(patterns), options)
    case .like:
      let pattern = ["", "*", "?", "a*", "*a", "*?", "\\*"]
      return TextMatch(kind, values.pick(pattern) + values.text() + values.pick(pattern), options)
    default: return TextMatch(kind, values.text(), options)
    }
  }

  /// Generates a comparison with constants of the whole range of unsigned integers.
  private mutating func unsigned(_ key: Operand) -> Filter {
    func constant(_ values: inout RandomValues) -> FieldContent { values.value(.uint64) }
    switch values.generator.below(3) {
    case 0:
      let constants = (0..<values.generator.below(5)).map { _ in
        values.generator.oneIn(4) ? values.value(.int64) : constant(&values)
      }
      return .oneOf(key, constants)
    case 1:
      let operation = values.pick(Arithmetic.allCases)
      let sum = Operand.arithmetic(key, operation, .constant(constant(&values)))
      return .comparison(
        sum, values.pick(Filter.Comparison.allCases), .constant(constant(&values)))
    default:
      return .comparison(
        .constant(constant(&values)), values.pick(Filter.Comparison.allCases), key)
    }
  }

  private mutating func operand(_ type: ValueType, _ depth: Int) -> Operand {
    if depth > 1, type.isNumber, values.generator.oneIn(3) {
      if type == .integer, values.generator.oneIn(3), let (name, destination) = many() {
        return .count(name, inside(destination) { $0.filter(depth: depth - 1) })
      }
      if type == .double, values.generator.oneIn(4) {
        return .arithmetic(operand(.date, depth - 1), .subtract, operand(.date, depth - 1))
      }
      let other = values.pick([ValueType.integer, .unsigned, .double, .decimal])
      return .arithmetic(
        operand(type, depth - 1), values.pick(Arithmetic.allCases), operand(other, depth - 1))
    }
    if depth > 1, type == .date, values.generator.oneIn(4) {
      return .arithmetic(
        operand(.date, depth - 1), values.pick([.add, .subtract]),
        operand(values.pick([.integer, .double]), depth - 1))
    }
    if depth > 1, type == .string, values.generator.oneIn(5) {
      let locale = values.pick([nil, nil, "sv", "en"])
      return .indexLetter(operand(.string, depth - 1), locale: locale)
    }
    if values.generator.oneIn(3) {
      let constant = values.constant(type)
      // Dates can be combined only with integers and doubles.
      if case .decimal = constant, type != .decimal { return .constant(values.value(.int16)) }
      return .constant(constant)
    }
    return key(type) ?? .constant(values.constant(type == .decimal ? .decimal : .null))
  }

  /// Generates a key of a type, after up to two to-one relationships.
  private mutating func key(_ type: ValueType) -> Operand? {
    var (name, entity) = start()
    for _ in 0..<values.generator.below(3) {
      guard let next = step(name, entity) else { break }
      (name, entity) = next
    }
    let nested = RandomCard.attribute
    var paths = entity.attributes.filter { ValueType($0.type) == type && $0 != nested }
      .map { [$0.name] }
    if entity.attributes.contains(nested) {
      paths += RandomCard.keys.filter { $0.type == type }.map { [nested.name] + $0.names }
    }
    guard !paths.isEmpty else { return nil }
    return .key(values.pick(paths).reduce(name) { $0.appending($1) })
  }

  private mutating func start() -> (KeyName, Entity) {
    let level = values.generator.below(entities.count)
    return (KeyName([], scope: .level(level)), entities[entities.count - 1 - level])
  }

  private mutating func step(_ name: KeyName, _ entity: Entity) -> (KeyName, Entity)? {
    let steps = entity.relationships.filter { !$0.isToMany }
    guard !steps.isEmpty else { return nil }
    let step = values.pick(steps)
    return schema.entity(step.destination).map { (name.appending(step.name), $0) }
  }

  /// Generates a to-one relationship.
  private mutating func one() -> (KeyName, Entity)? {
    let (name, entity) = start()
    return step(name, entity)
  }

  /// Generates a to-many relationship, after at most one to-one relationship.
  private mutating func many() -> (KeyName, Entity)? {
    var (name, entity) = start()
    if values.generator.oneIn(3), let next = step(name, entity) { (name, entity) = next }
    let many = entity.relationships.filter(\.isToMany)
    guard !many.isEmpty else { return nil }
    let last = values.pick(many)
    return schema.entity(last.destination).map { (name.appending(last.name), $0) }
  }

  private static let types: [ValueType] = [
    .integer, .unsigned, .double, .decimal, .boolean, .date, .string, .string, .data,
  ]

  private mutating func groupLimit() -> GroupLimit {
    let keys = (0..<values.generator.below(3)).map { _ in operand(values.pick(Self.types), 2) }
    return GroupLimit(count: values.generator.below(3), keys: keys)
  }

  private mutating func ordering() -> Ordering {
    let type = values.pick(Self.types)
    let options = type == .string ? TextMatch.Options(rawValue: values.generator.below(4)) : []
    var collation: TextCollation?
    if type == .string, values.generator.oneIn(2) {
      collation = TextCollation(
        localeIdentifier: values.pick(["en", "sv", "cs", "tr", "ja"]),
        comparesNumbers: values.generator.oneIn(2))
    }
    return Ordering(
      operand(type, 3), values.pick([.ascending, .descending]),
      nils: values.pick([nil, .first, .last]), options: options, collation: collation)
  }
}
