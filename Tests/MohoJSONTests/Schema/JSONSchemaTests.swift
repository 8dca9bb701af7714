import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

@Suite struct JSONSchemaTests {
  private struct Episode: MappedModel {
    var id: Int
    var title: String
    var summary: String?
    var publishedAt: Date
    var thumbnail: URL?
    var kind: SchemaModels.Kind
    var chapters: [Chapter]
    var season: Int

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .key("summary", \.summary, json: "description"),
      .key("publishedAt", \.publishedAt, json: "published.at"),
      .key("thumbnail", \.thumbnail, json: "thumbnail.url"), .key("kind", \.kind),
      .toMany("chapters", \.chapters, default: []), .key("season", \.season, default: 1))
  }

  private struct Chapter: MappedModel {
    var title: String
    var inner: [Chapter]
    static let mapping = Mapping(
      "Chapter", Chapter.init, .key("title", \.title), .key("inner", \.inner))
  }

  @Test func aSchemaDescribesTheKeys() throws {
    let text = String(
      decoding: try Episode.mapping.jsonSchema.data(formatting: .pretty), as: UTF8.self)

    #expect(
      try JSONDocument(parsing: text).value()
        == JSONDocument(
          parsing: """
            {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Episode",
             "type": "object",
             "properties": {
               "id": {"type": "integer"}, "title": {"type": "string"},
               "description": {"type": ["string", "null"]},
               "published": {"type": "object",
                 "properties": {"at": {"type": "string", "format": "date-time"}},
                 "required": ["at"]},
               "thumbnail": {"type": ["object", "null"],
                 "properties": {"url": {"type": ["string", "null"], "format": "uri-reference"}}},
               "kind": {"enum": ["full", "trailer"]},
               "chapters": {"type": "array", "items": {"$ref": "#/$defs/Chapter"}},
               "season": {"type": "integer", "default": 1}},
             "required": ["id", "title", "published", "kind"],
             "$defs": {"Chapter": {"type": "object",
               "properties": {"title": {"type": "string"},
                 "inner": {"type": "array", "items": {"$ref": "#/$defs/Chapter"}}},
               "required": ["title", "inner"]}}}
            """
        ).value())
  }

  @Test func anInvalidMappingRefusesAllDocuments() {
    let mapping = Mapping<Chapter>(
      "Chapter", Chapter.init, .key("title", \.title, json: "a..b"), .key("inner", \.inner))

    #expect(mapping.jsonSchema["not"] == [:])
    #expect(
      mapping.jsonSchema["$comment"]
        == "invalid mapping: `title`: the path `a..b` has an empty component")
  }

  private struct Custom: MappedModel {
    var hidden: Int
    var declared: Int
    var mapped: Int

    static let mapping = Mapping(
      "Custom", Custom.init,
      .key("hidden", \.hidden, form(nil)),
      .key("declared", \.declared, form(.string(format: "email"))),
      .key("mapped", \.mapped, Transform<String>.standard.map(to: { Int($0) }, from: { "\($0)" })))

    static func form(_ schema: FieldSchema?) -> Transform<Int> {
      Transform(
        .integer, samples: [1, 2, 3], schema: schema, read: { Int(try $0.int64(at: $1)) },
        write: { try $1.encode(Int64($0), at: $2) })
    }
  }

  @Test func theFormOfATransformIsDeclaredOrNotKnown() {
    #expect(
      Custom.mapping.jsonSchema["properties"] == [
        "hidden": ["$comment": "the form of a transform with its own functions"],
        "declared": ["type": "string", "format": "email"], "mapped": ["type": "string"],
      ])
  }

  private struct Defaults: MappedModel {
    var count: Int
    var start: Date
    var end: Date?
    var epoch: Date
    var stamp: Int
    var data: Data
    static let mapping = Mapping(
      "Defaults", Defaults.init, .key("count", \.count, default: 3),
      .key("start", \.start, default: Date(timeIntervalSince1970: 0)),
      .key("end", \.end, default: Date(timeIntervalSince1970: 0)),
      .key("epoch", \.epoch, .epochSeconds, default: Date(timeIntervalSince1970: 0)),
      .key("stamp", \.stamp, Custom.form(.date(.epochSeconds)), default: 3),
      .key("data", \.data, default: Data([1])))
  }

  /// Their text depends on the format.
  @Test func datesAndDataHaveNoDefaultInASchema() {
    #expect(
      Defaults.mapping.jsonSchema["properties"] == [
        "count": ["type": "integer", "default": 3],
        "start": ["type": "string", "format": "date-time"],
        "end": ["type": ["string", "null"], "format": "date-time"],
        "epoch": [
          "type": "number", "$comment": .string(DateFormat.epochSeconds.expectation),
        ],
        "stamp": [
          "type": "number", "$comment": .string(DateFormat.epochSeconds.expectation),
        ],
        "data": ["type": "string", "contentEncoding": "base64"],
      ])
  }

  @Test func requiredInlinedModelsAddTheirPropertiesToTheObject() {
    let schema = SchemaModels.Inlined.mapping.jsonSchema

    #expect(schema["properties"]?["start"] == ["type": "number"])
    #expect(schema["required"] == ["title", "start"])
  }

  private enum Drawing: MappedModel {
    case shape(SchemaModels.Shape)
    case empty

    static let mapping = Mapping<Drawing>(
      "Drawing", discriminator: "kind",
      .variant("shape", Drawing.shape) { if case .shape(let shape) = $0 { shape } else { nil } },
      .variant("empty", .empty) { if case .empty = $0 { true } else { false } })
  }

  @Test func aVariantThatIsAClusterHasAllOfItsVariants() throws {
    let shapes = try #require(SchemaModels.Shape.mapping.jsonSchema["anyOf"])

    let variant = Drawing.mapping.jsonSchema["oneOf"]?[0]

    #expect(variant?["properties"] == ["kind": ["const": "shape"]])
    #expect(variant?["allOf"] == [["anyOf": shapes]])
  }

  private struct Cover: MappedModel {
    var url: String
    static let mapping = Mapping(
      "Cover", Cover.init, .key("url", \.url, json: "images[0]", alternatives: ["thumbnail"]))
  }

  @Test func anAlternativeRequiresThatNoEarlierPathHasAValue() {
    let alternative = Cover.mapping.jsonSchema["allOf"]?[0]?["anyOf"]?[1]

    #expect(alternative?["required"] == ["thumbnail"])
    #expect(
      alternative?["allOf"]?.description == #"""
        [{"not":{"anyOf":[{"type":"object","required":["images"],"properties":{"images":\#
        {"anyOf":[{"type":"null"},{"type":"array","minItems":1,"prefixItems":[{}]}]}}}]}}]
        """#)
  }

  private struct Score: MappedModel {
    var name: String
    var numbers: [String: Int]
    static let mapping = Mapping(
      "Score", Score.init, .key("name", \.name, json: "name", alternatives: ["title"]),
      .unknown("numbers", \.numbers))
  }

  @Test func alternativesAreNotUnknownMembers() {
    let schema = Score.mapping.jsonSchema

    #expect(schema["additionalProperties"] == ["type": "integer"])
    #expect(schema["properties"] == ["name": [:], "title": [:]])
  }

  private struct Note: MappedModel {
    var content: JSONValue
    static let mapping = Mapping(
      "Note", Note.init, .key("content", \.content, json: "body.content"))
  }

  @Test func anObjectAroundAnyJSONCanBeNull() throws {
    #expect(Note.mapping.jsonSchema["properties"]?["body"]?["type"] == ["object", "null"])
    #expect(try JSONAdapter<Note>().model(from: Data(#"{"body":null}"#.utf8)).content == .null)
  }

  @Test func modelsWithTheSameNameAreDistinct() throws {
    let definitions = try #require(SchemaModels.Tree.mapping.jsonSchema["$defs"])
    let members = if case .object(let members) = definitions { members.map(\.key) } else { [""] }

    #expect(members == ["Event", "Label", "Shape", "Label 2"])
    #expect(
      SchemaModels.Tree.mapping.jsonSchema["properties"]?["children"]
        == ["type": "array", "items": ["$ref": "#"]])
  }
}

/// Schemas agree with decoding, by an independent validator.
@Suite(.enabled(if: SchemaValidator.isInstalled, Comment(rawValue: SchemaValidator.requirement)))
struct JSONSchemaAgreementTests {
  @Test func scalars() async throws { try await check(SchemaModels.Scalars.self) }
  @Test func forms() async throws { try await check(SchemaModels.Forms.self) }
  @Test func paths() async throws { try await check(SchemaModels.Paths.self) }
  @Test func alternatives() async throws { try await check(SchemaModels.Alternatives.self) }
  @Test func inlinedModels() async throws { try await check(SchemaModels.Inlined.self) }
  @Test func clusters() async throws { try await check(SchemaModels.Event.self) }
  @Test func chosenClusters() async throws { try await check(SchemaModels.Shape.self) }
  @Test func trees() async throws { try await check(SchemaModels.Tree.self) }
  @Test func compositeReferences() async throws { try await check(SchemaModels.Bookmark.self) }
  @Test func optionalIdentities() async throws { try await check(SchemaModels.Links.self) }
  @Test func unknownMembers() async throws { try await check(SchemaModels.Label.self) }

  @Test func aReferenceByObjectHasItsIdentifyingKeys() async throws {
    let documents = [
      #"{"draft":{},"slot":1,"release":[1,2]}"#,
      #"{"draft":{"code":null},"slot":1,"release":[1,2]}"#,
      #"{"draft":null,"slot":1,"release":[1,2]}"#,
      #"{"draft":"a","slot":1,"release":{}}"#,
      #"{"draft":"a","slot":1,"release":{"minor":2}}"#,
      #"{"draft":"a","slot":1,"release":[null,2]}"#,
      #"{"draft":"a","slot":{"number":null},"release":[1,2]}"#,
      // Keys with a default can be absent.
      #"{"draft":"a","slot":{},"release":[1,2]}"#,
      #"{"draft":"a","slot":1,"release":{"major":1}}"#,
      #"{"draft":{"code":"a"},"slot":{"number":1},"release":{"major":1,"minor":2}}"#,
      #"{"draft":"a","slot":1,"release":[1,2],"other":null}"#,
    ]

    let verdicts = try await verdicts(on: documents, of: SchemaModels.Links.self)

    #expect(verdicts == Array(repeating: false, count: 7) + Array(repeating: true, count: 4))
  }

  private struct Brand: MappedModel {
    var names: [String]
    static let mapping = Mapping(
      "Brand", Brand.init, .key("names", \.names, json: "names[*].text", .unique))
  }

  private struct Product: MappedModel {
    var brand: ModelReference<Brand>
    static let mapping = Mapping("Product", Product.init, .toOne("brand", \.brand))
  }

  @Test func aReferenceContainsTheObjectsThatItsKeyIsCollectedFrom() async throws {
    let documents = [
      #"{"brand":{"names":["a"]}}"#, #"{"brand":{"names":[{"text":1}]}}"#, #"{"brand":{}}"#,
      #"{"brand":{"names":[{"text":"a"},{"text":"b"}]}}"#, #"{"brand":{"names":[]}}"#,
    ]

    let verdicts = try await verdicts(on: documents, of: Product.self)

    #expect(verdicts == [false, false, false, true, true])
  }

  @Test func aSchemaHasNullOnce() throws {
    let schema = "\(SchemaModels.Links.mapping.jsonSchema)"

    #expect(schema.components(separatedBy: #""null""#).count == 2)
  }

  /// Returns whether each document is valid, and expects that it is if it decodes.
  private func verdicts<Model: MappedModel>(
    on documents: [String], of model: Model.Type
  ) async throws -> [Bool] {
    let documents = documents.map { Data($0.utf8) }
    let verdicts = try await SchemaValidator.validate(documents, by: Model.mapping.jsonSchema)
    for (document, isValid) in zip(documents, verdicts) {
      let decodes = (try? JSONAdapter<Model>().model(from: document)) != nil
      #expect(isValid == decodes, "\(String(decoding: document, as: UTF8.self))")
    }
    return verdicts
  }

  /// Encoded models are valid. Documents with random changes are valid if they
  /// decode, and invalid if they lack a required key or have a value of another
  /// type.
  private func check<Model: MappedModel>(_ model: Model.Type) async throws {
    let adapter = JSONAdapter<Model>()
    let samples = Model.mapping.samples(Campaign.count(short: 20, full: 100))
    #expect(!samples.isEmpty)
    var documents: [Data] = []
    for sample in samples {
      for policy in [NullPolicy.omit, .null] {
        documents.append(try adapter.data(from: sample, nullPolicy: policy))
      }
    }
    let encodedCount = documents.count
    var random = SeededGenerator(seed: 7)
    for data in documents {
      for _ in 0..<Campaign.count(short: 10, full: 100) {
        guard var value = try JSONDocument(parsing: data).value() else { continue }
        for _ in 0...random.below(2) { value = value.changed(by: &random) }
        documents.append(try value.data())
      }
    }

    let verdicts = try await SchemaValidator.validate(documents, by: Model.mapping.jsonSchema)

    #expect(verdicts.count == documents.count)
    var (decoded, refused) = (0, 0)
    for (index, (data, isValid)) in zip(documents, verdicts).enumerated() {
      let text = String(decoding: data, as: UTF8.self)
      do {
        _ = try adapter.model(from: data)
        decoded += 1
        #expect(isValid, "decodes: \(text)")
      } catch let error as MappingError {
        #expect(index >= encodedCount)
        let structural: Set<MappingError.Code> = [.missingValue, .unexpectedNull, .invalidType]
        guard error.errors.contains(where: { structural.contains($0.code) }) else { continue }
        refused += 1
        #expect(!isValid, "\(error): \(text)")
      }
    }
    #expect(decoded > encodedCount)
    #expect(refused > 0)
  }
}

extension JSONValue {
  /// The value with one random change.
  fileprivate func changed(by random: inout SeededGenerator) -> JSONValue {
    let replacements: [JSONValue] = [.null, true, 5, 1.5, "x", [], [:], [1], ["a": "b"]]
    switch self {
    case .object(var members) where !members.isEmpty && random.below(5) > 0:
      let index = random.below(members.count)
      switch random.below(4) {
      case 0: members.remove(at: index)
      case 1: members[index].value = replacements[random.below(replacements.count)]
      default: members[index].value = members[index].value.changed(by: &random)
      }
      return .object(members)
    case .array(var elements) where !elements.isEmpty && random.below(5) > 0:
      let index = random.below(elements.count)
      switch random.below(4) {
      case 0: elements.remove(at: index)
      case 1: elements[index] = replacements[random.below(replacements.count)]
      default: elements[index] = elements[index].changed(by: &random)
      }
      return .array(elements)
    case .object, .array: return self
    default: return replacements[random.below(replacements.count)]
    }
  }
}
