import Foundation
import MohoMapping
import Testing

/// Defaults that are literals of types other than the literals' default types.
@Suite struct LiteralDefaultTests {
  private struct Defaults: MappedModel, Equatable {
    var unsigned: UInt
    var small: Int8
    var float: Float
    var whole: Float
    var price: Decimal
    var half: Decimal
    var tags: Set<String>
    var marks: Set<Int>
    var text: UInt
    var title: String
    var count: Int
    var list: [String]

    static let mapping = Mapping(
      "Defaults", Defaults.init,
      .key("unsigned", \.unsigned, default: 1), .key("small", \.small, default: -1),
      .key("float", \.float, default: 0.5), .key("whole", \.whole, default: 2),
      .key("price", \.price, default: 3), .key("half", \.half, default: 0.5),
      .key("tags", \.tags, default: []), .key("marks", \.marks, default: [1, 2]),
      .key("text", \.text, json: "in.text", .numberInString, default: 4, .storeOnly),
      .key("title", \.title, default: "x"), .key("count", \.count, default: 5),
      .key("list", \.list, default: []))
  }

  @Test func literalsAreValuesOfTheKeysType() throws {
    #expect(Defaults.mapping.issues == [])
    let absent: [FieldContent?] = Defaults.mapping.keys.map { _ in nil }

    #expect(
      try Defaults.mapping.model(from: ContentDecoder(absent))
        == Defaults(
          unsigned: 1, small: -1, float: 0.5, whole: 2, price: 3, half: 0.5, tags: [],
          marks: [1, 2], text: 4, title: "x", count: 5, list: []))
  }

  @Test func transformsAndTraitsAreThoseOfTheKey() throws {
    let key = try #require(Defaults.mapping.key(for: \.text))

    #expect(key.source == nil)
    #expect(key.type == .string)
    #expect(key.hasDefault)
    #expect(Defaults.mapping.key(for: \.tags)?.type == .array)
  }

  private struct Small: MappedModel {
    var byte: UInt8
    var sum: UInt
    var number: Float

    static let mapping = Mapping(
      "Small", Small.init, .key("byte", \.byte, default: 256), .key("sum", \.sum, default: -1),
      .key("number", \.number, default: 1e300))
  }

  @Test func aLiteralThatTheTypeCannotRepresentIsAMistake() {
    #expect(
      Small.mapping.issues.map(\.description) == [
        "`byte`: the default 256 is not a value of `UInt8`",
        "`sum`: the default -1 is not a value of `UInt`",
        "`number`: the default 1e+300 is not a value of `Float`",
      ])
  }

  private struct Tag: MappedModel, Hashable {
    var name: String
    static let mapping = Mapping("Tag", Tag.init, .key("name", \.name, .unique))
  }

  private struct Tagged: MappedModel, Equatable {
    var id: Int
    var ordered: [Tag]
    var tags: Set<Tag>

    static let mapping = Mapping(
      "Tagged", Tagged.init, .key("id", \.id, .unique),
      .toMany("ordered", \.ordered, default: []),
      .toMany("tags", \.tags, json: "labels", default: [], onDelete: .deny))
  }

  @Test func aToManyRelationCanHaveADefault() throws {
    let model = try Tagged.mapping.model(from: ContentDecoder([.int64(1), nil, nil]))

    #expect(model == Tagged(id: 1, ordered: [], tags: []))
    #expect(Tagged.mapping.key(for: \.tags)?.relation?.deleteRule == .deny)
    #expect(Tagged.mapping.key(for: \.ordered)?.hasDefault == true)
  }
}
