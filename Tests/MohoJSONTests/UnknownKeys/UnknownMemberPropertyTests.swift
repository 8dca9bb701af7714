import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

/// Documents of `Unknown.Open` with members that nothing is mapped to.
private struct OpenDocument {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func document() -> JSONValue {
    var members: [JSONValue.Member] = [JSONValue.Member("id", .integer(Int64(below(9))))]
    let hasImage = below(2) == 0
    if hasImage { members.append(JSONValue.Member("image", object(with: "url"))) }
    // Other paths of the same key.
    if below(3) == 0 {
      members.append(JSONValue.Member("picture", hasImage ? value(depth: 1) : "p"))
    }
    if below(3) == 0 { members.append(JSONValue.Member("links", object(with: "image"))) }
    if below(2) == 0 { members.append(JSONValue.Member("tags", tags())) }
    if below(2) == 0 {
      let parts = (0..<below(3)).map { _ in
        extended([JSONValue.Member("meta", object(with: "title"))], depth: 1)
      }
      members.append(JSONValue.Member("parts", .array(parts)))
    }
    if below(2) == 0 {
      members.append(JSONValue.Member("location", 5))
      members.append(JSONValue.Member("size", object(with: "length", is: 7)))
    }
    return extended(members, depth: 2)
  }

  /// What is written of a document.
  static func written(_ document: JSONValue) -> JSONValue {
    var written = document
    // A key with a default is written always.
    if written["parts"] == nil { written["parts"] = [] }
    guard written["image"] == nil else { return written }
    if let picture = written["picture"] {
      written["picture"] = JSONValue?.none
      written["image"] = ["url": picture]
    } else if var links = written["links"] {
      written["image"] = ["url": links["image"] ?? .null]
      links["image"] = JSONValue?.none
      written["links"] = links == [:] ? JSONValue?.none : links
    }
    return written
  }

  private mutating func tags() -> JSONValue {
    var tags = (0..<below(4)).map { _ in value(depth: 1) }
    // Nothing is written of a key that is nil.
    if tags.count > 1, tags[1] == .null { tags[1] = 0 }
    // Null before another element only keeps its place.
    if let last = tags.indices.last, tags[last] == .null { tags[last] = "end" }
    return .array(tags.isEmpty ? ["x"] : tags)
  }

  private mutating func object(with name: String, is value: JSONValue = "v") -> JSONValue {
    extended([JSONValue.Member(name, value)], depth: 1)
  }

  private mutating func extended(_ members: [JSONValue.Member], depth: Int) -> JSONValue {
    var members = members
    for _ in 0..<below(4) {
      let name = name()
      if !members.contains(where: { $0.key == name }) {
        members.append(JSONValue.Member(name, value(depth: depth)))
      }
    }
    return .object(members.shuffled(using: &generator))
  }

  private mutating func value(depth: Int) -> JSONValue {
    switch below(depth > 0 ? 7 : 5) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .integer(Int64(below(1000)) - 500)
    case 3: .number(Double(below(1000)) + 0.5)
    case 4: .string(name())
    case 5: .array((0..<below(3)).map { _ in value(depth: depth - 1) })
    default: extended([], depth: depth - 1)
    }
  }

  private mutating func name() -> String {
    ["a", "b", "a.b", "a[0]", "[", "\\", "", " ", "\"", "é", "👩‍👧", "url", "width", "\u{301}"][
      below(14)]
  }

  private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}

@Suite struct UnknownMemberPropertyTests {
  @Test func everythingInADocumentRoundTrips() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var documents = OpenDocument(seed: seed)
    let adapters = [
      JSONAdapter<Unknown.Open>(), JSONAdapter(envelope: "a.b"),
      JSONAdapter(unknownKeyPolicy: .refuse),
    ]
    for round in 0..<Campaign.count(short: 600, full: 1_500) {
      let place: Comment = "seed \(seed), round \(round)"
      let document = documents.document()
      let adapter = adapters[round % adapters.count]
      let text: JSONValue = adapter.envelope == nil ? document : ["a": ["b": document]]

      let open = try adapter.model(from: text.data())
      let data = try adapter.data(from: open, formatting: round % 2 == 0 ? .compact : .pretty)

      let expected = OpenDocument.written(document)
      let path: FieldPath = adapter.envelope ?? FieldPath([])
      let written = try JSONDocument(parsing: data).value(at: path)
      #expect(written?.sorted == expected.sorted, place)
      // From then on, nothing changes any more, not even the order.
      let again = try adapter.data(
        from: adapter.model(from: data), formatting: round % 2 == 0 ? .compact : .pretty)
      #expect(again == data, place)
    }
  }

  @Test func membersOfOneObjectKeepTheirOrder() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var documents = OpenDocument(seed: seed)
    let adapter = JSONAdapter<Unknown.Open>()
    let keys = ["id", "image", "picture", "links", "tags", "parts", "location", "size"]
    for round in 0..<500 {
      let document = documents.document()
      let data = try adapter.data(from: adapter.model(from: document.data()))
      let written = try JSONDocument(parsing: data).value()

      func names(_ value: JSONValue?) -> [String] {
        guard case .object(let members)? = value else { return [] }
        return members.map(\.key).filter { !keys.contains($0) }
      }
      #expect(names(written) == names(document), "seed \(seed), round \(round)")
    }
  }

  @Test func otherCodersMakeTheSame() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var documents = OpenDocument(seed: seed)
    let adapter = JSONAdapter<Unknown.Open>()
    for round in 0..<200 {
      let place: Comment = "seed \(seed), round \(round)"
      let data = try documents.document().data()

      let coded = try JSONDecoder().decode(Unknown.Open.self, from: data)
      let adapted = try adapter.model(from: data)

      // Other decoders do not tell the order of members.
      #expect(coded.others.sorted == adapted.others.sorted, place)
      #expect(
        coded.parts.map { $0.others.mapValues(\.sorted) }
          == adapted.parts.map { $0.others.mapValues(\.sorted) }, place)
      let written = try JSONDocument(parsing: JSONEncoder().encode(adapted)).value()
      let expected = try JSONDocument(parsing: adapter.data(from: adapted)).value()
      #expect(written?.sorted == expected?.sorted, place)
    }
  }
}
