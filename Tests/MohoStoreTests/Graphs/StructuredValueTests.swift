import Foundation
import MohoMapping
import MohoRows
import MohoTesting
import StoreTesting
import Testing

struct Clip: MappedModel, Equatable {
  var id: Int
  var tags: [String] = []
  var labels: Set<String> = []
  var counts: [String: Int] = [:]
  var span = Span(start: 0)
  var trailer: Span?
  var spans: [Span] = []
  var numbers: [UInt64?] = []
  var amounts: [Decimal] = []
  var frame = Span(start: 1)

  static let mapping = Mapping(
    "Clip", Clip.init,
    .key("id", \.id, .unique),
    .key("tags", \.tags),
    .key("labels", \.labels),
    .key("counts", \.counts),
    .key("span", \.span),
    .key("trailer", \.trailer),
    .key("spans", \.spans),
    .key("numbers", \.numbers),
    .key("amounts", \.amounts),
    .inlined("frame", \.frame))
}

extension Clip {
  struct Span: MappedModel, Hashable {
    var start: Int
    var length: Int?
    var mark: String?

    static let mapping = Mapping(
      "Span", Span.init,
      .key("start", \.start, json: "at.start"),
      .key("length", \.length),
      .key("mark", \.mark, .storeOnly))
  }
}

private typealias Span = Clip.Span

@Suite(.allEngines) struct StructuredValueTests {
  let clips = [
    Clip(id: 1),
    Clip(
      id: 2, tags: ["é", "a\u{1}b", "\"/"], labels: ["z", "a", "m", "b"],
      counts: ["b": 1, "a": -2],
      span: Span(start: 3, length: 4, mark: "kept"), trailer: Span(start: .min, length: .max),
      spans: [Span(start: 1), Span(start: 2, mark: "x")], numbers: [.max, nil, 0],
      amounts: [Decimal(string: "12345678901234567890.123456789") ?? 0]),
  ]

  @Test func valuesWithStructureReadBackEqual() throws {
    let store = try emptyStore(Clip.self)

    try store.write { try $0.save(clips) }

    #expect(try store.fetch(ModelRequest<Clip>()) == clips)
  }

  @Test func equalValuesHaveOneText() throws {
    let store = try emptyStore(Clip.self)
    let labels = (0..<50).map { "label \($0)" }
    var clip = clips[1]
    for seed in 0..<20 {
      var generator = SeededGenerator(seed: UInt64(seed))
      clip.labels = Set(labels.shuffled(using: &generator))
      clip.counts = Dictionary(
        uniqueKeysWithValues: labels.shuffled(using: &generator).map { ($0, 1) })

      let report = try store.write { try $0.save(clip) }

      #expect(
        report == (seed == 0 ? SaveReport(inserted: 1) : SaveReport(unchanged: 1)), "seed \(seed)")
    }
  }

  @Test(arguments: [
    ("tags", "[1]", "invalid type: number 1, expected string - `Clip.tags` at /Clip/1/tags/0"),
    (
      "span", "{\"at\":{}}",
      "missing value: nothing, expected integer - `Span.start` at /Clip/1/span/at/start"
    ),
  ])
  func aTextOfAnotherFormIsAnErrorWithItsPath(
    column: String, text: String, message: String
  ) throws {
    let store = try emptyStore(Clip.self)
    try store.write { try $0.save(clips[0]) }
    try store.execute("UPDATE \"Clip\" SET \"\(column)\" = \(sqlLiteral(text))")

    let error = #expect(throws: MappingError.self) { try store.fetch(ModelRequest<Clip>()) }

    let expected = message.split(separator: " - ").last.map(String.init) ?? ""
    #expect(error?.description.hasSuffix(expected) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test func aNumberThatJSONDoesNotHoldIsRefused() throws {
    struct Wave: MappedModel {
      var id: Int
      var values: [Double]
      static let mapping = Mapping(
        "Wave", Wave.init, .key("id", \.id, .unique), .key("values", \.values))
    }
    let store = try emptyStore(Wave.self)

    let error = #expect(throws: MappingError.self) {
      try store.write { try $0.save([Wave(id: 1, values: [0]), Wave(id: 2, values: [.infinity])]) }
    }

    #expect(error?.key == "values")
    #expect(try store.fetchCount(ModelRequest<Wave>()) == 0)
  }

  @Test func anObjectInAFlatColumnIsRefused() throws {
    struct FlatSpan: FieldValue {
      var span = Span(start: 1)
      static var fieldType: FieldType { .string }
      static func decode(from decoder: any FieldDecoder, at index: Int) throws -> FlatSpan {
        FlatSpan(span: try Span.decode(from: decoder, at: index))
      }
      func encode(to encoder: any FieldEncoder, at index: Int) throws {
        try span.encode(to: encoder, at: index)
      }
    }
    struct Cut: MappedModel {
      var id: Int
      var span: FlatSpan
      static let mapping = Mapping("Cut", Cut.init, .key("id", \.id, .unique), .key("span", \.span))
    }
    let store = try emptyStore(Cut.self)

    let error = #expect(throws: MappingError.self) {
      try store.write { try $0.save(Cut(id: 1, span: FlatSpan())) }
    }

    #expect(error?.code == .unsupported)
    #expect(error?.key == "span")
  }

  @Test func partialUpdatesWriteThem() throws {
    let store = try emptyStore(Clip.self)
    try store.write { try $0.save(clips) }
    var change = Partial<Clip>()
    change[\.id] = 2
    change[\.tags] = ["new"]
    change[\.trailer] = .some(nil)

    #expect(try store.write { try $0.update([change]) } == SaveReport(updated: 1))
    #expect(try store.write { try $0.update([change]) } == SaveReport(unchanged: 1))

    var clip = clips[1]
    clip.tags = ["new"]
    clip.trailer = nil
    #expect(try store.fetch(ModelRequest<Clip>()) == [clips[0], clip])
  }

  @Test func aReferenceThatIsNoRelationIsRefused() {
    struct Holder: MappedModel {
      var id: Int
      var guest: ModelReference<Guest>?
      static let mapping = Mapping(
        "Holder", Holder.init, .key("id", \.id, .unique), .key("guest", \.guest))
    }

    let error = #expect(throws: StoreError.self) { try emptyStore(Holder.self) }

    #expect(error?.code == .invalidSchema)
    #expect(error?.suggestion == "use `.toOne`")
  }
}
