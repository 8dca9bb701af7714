import MohoMapping

/// A model with two keys of the same type and one of another type.
struct Trio<Twin: Sendable, Other: Sendable>: Sendable {
  var one: Twin
  var two: Twin
  var other: Other
}

/// A nested model with any content.
struct Wrapper<Content: FieldValue & Hashable>: MappedModel, Hashable {
  var content: Content

  static var mapping: Mapping<Wrapper> {
    Mapping("Wrapper", { Wrapper(content: $0) }, .key("content", \.content))
  }
}

struct Extent: MappedModel, Hashable {
  var start: Int
  var end: Int

  static let mapping = Mapping(
    "Extent", Extent.init, .key("start", \.start), .key("end", \.end))
}

struct Account: MappedModel, Hashable {
  var id: Int
  var name: String

  static let mapping = Mapping(
    "Account", Account.init, .key("id", \.id, .unique), .key("name", \.name))
}

/// A model with a string key that refers to itself.
struct Remark: MappedModel, Hashable {
  var slug: String
  var parent: ModelReference<Remark>?
  var replies: [Remark]

  static let mapping = Mapping(
    "Remark", Remark.init, .key("slug", \.slug, .unique), .toOne("parent", \.parent),
    .toMany("replies", \.replies))
}

/// A model that contains only models of its own type.
struct Branch: MappedModel, Hashable {
  var left: [Branch]
  var right: [Branch]

  static let mapping = Mapping(
    "Branch", Branch.init, .key("left", \.left), .key("right", \.right))
}

indirect enum Formula: MappedModel, Hashable {
  case number(Account)
  case negative(Negative)

  struct Negative: MappedModel, Hashable {
    var operand: Formula
    static let mapping = Mapping("Negative", Negative.init, .key("operand", \.operand))
  }

  static let mapping = Mapping<Formula>(
    "Formula", discriminator: "type",
    .variant("negative", Formula.negative) {
      if case .negative(let model) = $0 { model } else { nil }
    },
    .variant("number", Formula.number) {
      if case .number(let model) = $0 { model } else { nil }
    })
}

enum Savor: String, CaseIterable, FieldValue { case sweet, sour, salty }

/// A type for which the check finds no samples.
enum Unlisted: String, FieldValue { case first, second }

/// A type without declared samples that reads any string.
struct Quiet: FieldValue, Hashable {
  var text: String
  static var fieldType: FieldType { .string }

  static func decode(from decoder: any FieldDecoder, at index: Int) throws -> Quiet {
    Quiet(text: try decoder.string(at: index))
  }

  func encode(to encoder: any FieldEncoder, at index: Int) throws {
    try encoder.encode(text, at: index)
  }
}

struct Identifier: RawRepresentable, FieldValue, Hashable {
  var rawValue: Int
}

/// A type that is neither a field value nor `Equatable`.
struct Color: Codable, Sendable {
  struct Channel: Codable, Sendable {
    var level: Int
  }

  var name: String
  var channels: [Channel]
  var parent: [Color]?
}

/// A `Codable` type that reads only two strings.
struct Sealed: Codable, Sendable {
  var isFirst: Bool

  init(isFirst: Bool) { self.isFirst = isFirst }

  init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard text == "first" || text == "second" else {
      throw MappingError(.invalidValue, found: text)
    }
    isFirst = text == "first"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(isFirst ? "first" : "second")
  }
}

/// A type without conformances, for transforms.
struct Tally: Sendable {
  var number: Int
}

extension Transform where Value == Tally {
  /// Reads only numbers above a million. The check does not find any.
  static func offset(samples: [Tally]) -> Transform<Tally> {
    Transform(
      .integer, samples: samples,
      read: { decoder, index in
        let number = try decoder.int64(at: index)
        guard number > 1_000_000 else {
          throw decoder.error(.invalidValue, at: index, expected: "number above a million")
        }
        return Tally(number: Int(number))
      },
      write: { value, encoder, index in try encoder.encode(Int64(value.number), at: index) })
  }
}
