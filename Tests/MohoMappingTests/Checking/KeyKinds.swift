import Foundation
import MohoMapping
import Testing

private func field<Value: FieldValue & Hashable>(
  _ one: Value, _ two: Value, isSampled: Bool = true
) -> [any KeyKind] {
  FieldKind(isSampled: isSampled, values: (one, two)).variants
}

private func reference<Target: MappedModel>(_ key: some FieldValue) throws -> ModelReference<Target>
{
  try ModelReference(key: key)
}

private let date = Date(timeIntervalSinceReferenceDate: 800_000_000)

/// The kinds of keys that the property test declares.
enum KeyKinds {
  static func all() throws -> [any KeyKind] { try plain() + models() + transforms }

  /// The kinds of the key that is declared with those that can be swapped.
  static func others() throws -> [any KeyKind] {
    [
      FieldKind(values: (1, 2)),
      FieldKind(values: (Extent(start: 1, end: 2), Extent(start: 3, end: 4))),
      FieldKind<[Remark]>(values: ([], [])),
      RelationKind<ModelReference<Account>?>(values: (try reference(1), nil)),
      InlinedKind(values: (Extent(start: 1, end: 2), Extent(start: 3, end: 4))),
      FieldKind(isSampled: false, values: (Unlisted.first, Unlisted.second)),
      TransformKind(
        name: "unsampled transform", isSampled: false,
        values: (Tally(number: 2_000_000), Tally(number: 3_000_000)),
        transform: .offset(samples: [])),
    ]
  }

  private static func plain() throws -> [any KeyKind] {
    field(7, 8) + field(UInt8(7), 8) + field("a", "b") + field(false, true)
      + field(1.5, 2.5) + field(Float(1.5), 2.5) + field(Decimal(1), 2)
      + field(date, date + 1) + field(Data("a".utf8), Data("b".utf8))
      + (try field(#require(URL(string: "a:b")), #require(URL(string: "a:c"))))
      + field(UUID(), UUID()) + field(Savor.sour, .salty)
      + field(OpenEnum<Savor>.known(.sweet), .unknown("bitter"))
      + field(Identifier(rawValue: 4), Identifier(rawValue: 5))
      + field(Quiet(text: "a"), Quiet(text: "b"))
      + field(Unlisted.first, .second, isSampled: false)
  }

  private static func models() throws -> [any KeyKind] {
    let (one, two) = (Account(id: 1, name: "a"), Account(id: 1, name: "b"))
    let (first, second): (ModelReference<Account>, ModelReference<Account>) = (
      try reference(1), try reference(2)
    )
    let comments = (
      Remark(slug: "a", parent: nil, replies: []),
      Remark(slug: "a", parent: try reference("b"), replies: [])
    )
    let branch = Branch(left: [], right: [])
    return field(Extent(start: 1, end: 2), Extent(start: 1, end: 3)) + field(one, two)
      + field(first, second) + field(comments.0, comments.1)
      + field(Formula.number(one), .negative(.init(operand: .number(one))))
      + [
        RelationKind(values: (one, two)), RelationKind<Account?>(values: (one, nil)),
        RelationKind<[Account]>(values: ([one], [two])),
        RelationKind<Set<Account>>(values: ([one], [one, two])),
        RelationKind(values: (first, second)),
        RelationKind<ModelReference<Account>?>(values: (first, nil)),
        RelationKind(values: ([first], [second])),
        FieldKind(isSampled: false, values: (branch, Branch(left: [branch], right: []))),
        FieldKind<Branch?>(values: (branch, nil)), FieldKind<[Branch]>(values: ([branch], [])),
      ]
  }

  private static var transforms: [any KeyKind] {
    let colors = (
      Color(name: "a", channels: []), Color(name: "b", channels: [.init(level: 1)])
    )
    let opaque = (Tally(number: 2_000_000), Tally(number: 3_000_000))
    let samples = [Tally(number: 5), Tally(number: 6)]
    let sealed = (Sealed(isFirst: true), Sealed(isFirst: false))
    let table = Transform<Savor>.table(["a": .sweet, "b": .sour])
    return [
      TransformKind(name: "codable", values: colors, transform: .codable),
      TransformKind<Color?>(name: "codable?", values: (colors.0, nil), transform: .codable),
      TransformKind<[Color]>(
        name: "[codable]", values: ([colors.0], [colors.1]), transform: .codable),
      TransformKind(name: "sealed", isSampled: false, values: sealed, transform: .codable),
      TransformKind<Sealed?>(
        name: "sealed?", isSampled: false, values: (sealed.0, nil),
        transform: Transform<Sealed>.codable.optional),
      TransformKind(name: "samples", values: opaque, transform: .offset(samples: samples)),
      TransformKind<Tally?>(
        name: "samples?", values: opaque,
        transform: Transform<Tally>.offset(samples: samples).optional),
      TransformKind<[Tally]>(
        name: "[samples]", values: ([opaque.0], [opaque.1]),
        transform: Transform<Tally>.offset(samples: samples).array),
      TransformKind(
        name: "no samples", isSampled: false, values: opaque, transform: .offset(samples: [])),
      TransformKind<Tally?>(
        name: "no samples?", isSampled: false, values: (opaque.0, nil),
        transform: Transform<Tally>.offset(samples: []).optional),
      TransformKind<[Tally]>(
        name: "[no samples]", isSampled: false, values: ([opaque.0], [opaque.1]),
        transform: Transform<Tally>.offset(samples: []).array),
      TransformKind(
        name: "map", values: opaque,
        transform: Transform<Int>.standard.map(to: { Tally(number: $0) }, from: { $0.number })),
      TransformKind(
        name: "map with samples", values: opaque,
        transform: Transform<String>.standard.map(
          samples: samples, to: { Int($0).map { Tally(number: $0) } },
          from: { "\($0.number)" })),
      TransformKind(
        name: "map that reads digits", values: opaque,
        transform: Transform<String>.standard.map(
          to: { Int($0).map { Tally(number: $0) } }, from: { "\($0.number)" })),
      TransformKind(
        name: "table", values: (.sweet, .sour), transform: table,
        second: .table([1: .salty, 2: .sweet, 3: .sour])),
      TransformKind(
        name: "dates", values: (date, date + 1), transform: .iso8601, second: .epochSeconds),
      TransformKind(
        name: "booleans", values: (true, false), transform: .booleanAsNumber,
        second: .booleanInString),
      TransformKind(
        name: "numbers", values: (1, 2), transform: .numberInString,
        second: Transform<Int>.standard),
    ]
  }
}
