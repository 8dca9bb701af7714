import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Structured text of a store, which Foundation's coders read, and the fast path.
@Suite struct StructuredTextReaderTests {
  private let texts = StructuredTextReader(ScannedShow.mapping.fieldKeys)

  /// Reads a text as a row decoder does.
  private func read<Value: FieldValue>(
    _ type: Value.Type, _ text: String, usesFastPath: Bool
  ) throws -> Value {
    let row = TextRow(text, usesFastPath ? texts : nil)
    guard usesFastPath else { return try Value.decode(from: row, at: 0) }
    return try texts.withFallback { try Value.decode(from: row, at: 0) }
  }

  private func expectAgreement<Value: FieldValue & Equatable>(
    on type: Value.Type, _ text: String, _ comment: @autoclosure () -> Comment = ""
  ) -> Verdict<Value> {
    let expected = Verdict { try read(type, text, usesFastPath: false) }
    let found = Verdict { try read(type, text, usesFastPath: true) }
    #expect(found == expected, "\(type): \(text) \(comment())")
    return expected
  }

  /// Whether the fast path reads a text by itself.
  private func isScanned<Value: FieldValue>(_ type: Value.Type, _ text: String) -> Bool {
    let row = TextRow(text, texts)
    _ = try? texts.withFallback { try Value.decode(from: row, at: 0) }
    return row.refusals == 0
  }

  /// Whether a text has a number with more digits than a double, or nearer to zero: a store
  /// does not write them, and coders round or refuse them in ways of their own.
  private func hasInexactNumber(_ text: String) -> Bool {
    text.matches(of: /([0-9]+)(\.[0-9]+)?([eE][-+]?[0-9]+)?/).contains { number in
      let (_, whole, fraction, exponent) = number.output
      return whole.count > 20 || (exponent?.count ?? 0) > 3
        || fraction.map { whole.count + $0.count > 16 } ?? false
    }
  }

  /// Calls a closure with the texts of random objects, most of them slightly damaged.
  private func forEachText(_ body: (_ seed: UInt64, _ text: String) -> Void) {
    for seed in Campaign.scanSeeds {
      var random = RandomShow(seed: seed)
      let whole = random.object()
      let text = String(
        decoding: seed.isMultiple(of: 4) ? whole : random.mutation(of: whole), as: UTF8.self)
      if !hasInexactNumber(text) { body(seed, text) }
    }
  }

  @Test func randomTextIsReadAsByCoders() {
    var (validCount, scannedCount) = (0, 0)
    forEachText { seed, text in
      if case .value = expectAgreement(on: ScannedShow.self, text, "seed \(seed)") {
        validCount += 1
        if isScanned(ScannedShow.self, text) { scannedCount += 1 }
      }
      _ = expectAgreement(on: [ScannedShow].self, "[\(text), \(text)]", "seed \(seed)")
      _ = expectAgreement(on: [String: ScannedShow].self, "{\"b\": \(text), \"a\":\(text)}")
      _ = expectAgreement(on: [String: JSONValue].self, text, "seed \(seed)")
    }
    #expect(Double(scannedCount) > Double(validCount) * 0.9)
  }

  @Test func randomModelsAreReadFromTheirText() throws {
    var count = 0
    for seed in Campaign.scanSeeds {
      var random = RandomShow(seed: seed)
      let data = Data(random.object())
      guard let model = try? JSONAdapter<ScannedShow>().model(from: data) else { continue }
      let text = try StructuredText.text(at: FieldPath([])) { try model.encode(to: $0, at: 0) }
      let read = try read(ScannedShow.self, text, usesFastPath: true)
      #expect(read == model, "seed \(seed): \(text)")
      #expect(isScanned(ScannedShow.self, text), "seed \(seed): \(text)")
      count += 1
    }
    #expect(count > Campaign.scanSeeds.count / 10)
  }

  @Test func randomUnknownMembersAreReadAsByCoders() throws {
    forEachText { seed, text in
      _ = expectAgreement(on: OpenShow.self, text, "seed \(seed)")
      _ = expectAgreement(on: [OpenVariant].self, "[\(text), \(text)]", "seed \(seed)")
      _ = expectAgreement(on: [ShowWithOpenPart].self, "[\(text), {}]", "seed \(seed)")
    }
    try expectSameText(of: OpenShow.self, scanned: 0.8)
    try expectSameText(of: OpenVariant.self, scanned: 0.8)
    try expectSameText(of: ShowWithOpenPart.self, scanned: 0.8)
  }

  /// Expects that the models of random documents are read from their text with their unknown
  /// members in order.
  ///
  /// - Parameter share: The share of the texts that the fast path reads by itself.
  private func expectSameText<Model: MappedModel & Equatable>(
    of type: Model.Type, scanned share: Double
  ) throws {
    let adapter = JSONAdapter<Model>()
    var (count, scannedCount) = (0, 0)
    for seed in Campaign.scanSeeds {
      var random = RandomShow(seed: seed)
      let data = Data(random.object())
      guard let model = try? adapter.model(from: data) else { continue }
      let text = try StructuredText.text(at: FieldPath([])) { try model.encode(to: $0, at: 0) }
      let read = try read(type, text, usesFastPath: true)
      #expect(read == model, "seed \(seed): \(text)")
      let expected = try self.read(type, text, usesFastPath: false)
      // The order of members.
      #expect(
        try adapter.data(from: read) == adapter.data(from: expected), "seed \(seed): \(text)")
      count += 1
      if isScanned(type, text) { scannedCount += 1 }
    }
    #expect(count > Campaign.scanSeeds.count / 100)
    #expect(Double(scannedCount) > Double(count) * share, "\(scannedCount) of \(count)")
  }

  @Test(
    arguments: [
      "{}", "[]", "null", "1", "\"x\"", "", "{", "{\"a\":1", "{\"a\":1}x", " {\"a\" : 1 } ",
      #"{"a":1,"a":2}"#, #"{"_moho_json":"{\"b\":1,\"a\":2}"}"#, #"{"_moho_json":"["}"#,
      #"{"_moho_json":1}"#, #"{"_moho_json":"1","a":2}"#, #"{"a":{"_moho_json":"[1]"}}"#,
      #"{"_moho_member _moho_a":1}"#, #"{"_moho_x":1}"#, #"{"b":1,"a":2}"#,
      #"{"a":{"b":1,"a":{"_moho_json":"{\"d\":1,\"c\":2}"}}}"#, #"[1,"x",null,[2,{"b":1,"a":2}]]"#,
      #"{"é":1,"é":2}"#, #"{"\u005fmoho_json":"[1]"}"#, #"[{"_moho_json":"[2]"},[3]]"#,
      #"[1.0,1e2,-0,0.1,18446744073709551615,1e400,123456789012345678901234567890]"#,
      #"{"text":{"_moho_json":"\"x\""},"values":[1]}"#, #"{"values":{"_moho_json":"[1]"}}"#,
      #"{"_moho_hidden":5,"text":"x","part":{"n":1,"parts":[]},"values":[1,2]}"#,
      #"{"_moho_hidden":"x","other":7,"values":[1,null]}"#, #"{"other":{"x":1},"seen":true}"#,
      #"{"box":{"json":{"_moho_json":"{\"b\":1,\"a\":2}"},"names":["x"]}}"#,
      #"{"box":{"_moho_json":"{\"names\":[],\"json\":1}"}}"#, #"{"box":{"json":1}}"#,
      #"{"b":1,"_moho_order":["b","a"],"a":2}"#, #"{"_moho_order":["a"]}"#,
      #"{"_moho_order":["b"],"a":1,"b":2}"#, #"{"_moho_order":"b","b":1,"a":2}"#,
      #"{"_moho_order":["b","a","b"],"a":1,"b":2,"media":{"x":1}}"#,
      #"{"_moho_member _moho_a":1,"_moho_order":["b","a"],"a":1,"b":2}"#,
      #"{"title":"x","b":{"_moho_json":"{\"b\":1,\"a\":2}"},"c":[{"d":1,"c":2}]}"#,
      #"{"count":-1}"#, #"{"count":3}"#, #"{"tolerant":"x","count":1}"#,
    ]) func textIsReadAsByCoders(text: String)
  {
    _ = expectAgreement(on: JSONValue.self, text)
    _ = expectAgreement(on: [JSONValue].self, text)
    _ = expectAgreement(on: [String: JSONValue].self, text)
    _ = expectAgreement(on: [Int?].self, text)
    _ = expectAgreement(on: [[Double]].self, text)
    _ = expectAgreement(on: [String: Int].self, text)
    _ = expectAgreement(on: Set<Int>.self, text)
    _ = expectAgreement(on: Stored.self, text)
    _ = expectAgreement(on: OpenShow.self, text)
    _ = expectAgreement(on: [OpenVariant].self, "[\(text)]")
    _ = expectAgreement(on: [ShowWithOpenPart].self, "[\(text)]")
    _ = expectAgreement(on: [Stored].self, "[\(text), {}]")
  }
}

/// A model with keys that structured text contains in another way than documents, and with
/// values that take the fast path only sometimes.
private struct Stored: MappedModel, Equatable {
  struct Box: Codable, Equatable, Sendable {
    var json: JSONValue
    var names: [String]
  }

  var hidden: Int
  var seen: Bool
  var text: String?
  var part: ScannedPart?
  var values: [Int?]
  var box: Box?
  var count: Int
  var tolerant: Int?

  static let mapping = Mapping(
    "Stored", Stored.init,
    .key("hidden", \.hidden, default: 0, .storeOnly),
    .key("seen", \.seen, default: false, .documentOnly),
    .key("text", \.text, json: "text", alternatives: ["other.x", "other"], .standard),
    .key("part", \.part), .key("values", \.values, default: [Int?]()),
    .key("box", \.box, .codable),
    .key("count", \.count, default: 0),
    .key("tolerant", \.tolerant, .standard.or(.numberInString))
  )
  .validating(\.count, "a count") { $0 >= 0 }
}

/// A row whose only column is a text.
private final class TextRow: FieldDecoder {
  private let text: String
  private let texts: StructuredTextReader?
  /// How often the fast path could not read the text, or the row was read again.
  private(set) var refusals = -1

  init(_ text: String, _ texts: StructuredTextReader?) {
    self.text = text
    self.texts = texts
  }

  private func value<Value>(
    _ scanned: (StructuredTextReader, UnsafeRawBufferPointer) -> Value?,
    _ other: (any FieldDecoder) throws -> Value
  ) throws -> Value {
    refusals += 1
    if let texts {
      var text = text
      if let value = text.withUTF8({ scanned(texts, UnsafeRawBufferPointer($0)) }) { return value }
      refusals += 1
    }
    guard let decoder = StructuredText.decoder(of: text, at: FieldPath([])) else {
      throw error(.invalidValue, at: 0, expected: "JSON")
    }
    return try other(decoder)
  }

  func object(at index: Int, keys: FieldKeys) throws -> any FieldDecoder {
    try value({ $0.object($1, keys: keys, isDivided: false) }, { try $0.object(at: 0, keys: keys) })
  }

  func array(at index: Int) throws -> FieldElements {
    try value({ $0.array($1, at: index) }, { try $0.array(at: 0) })
  }

  func dictionary(at index: Int) throws -> FieldMembers {
    try value({ $0.dictionary($1, at: index) }, { try $0.dictionary(at: 0) })
  }

  func codable<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
    try value(
      { $0.json(type, $1, at: index) },
      { _ in try self.codable(type, at: 0, json: Data(self.text.utf8), isStored: true) })
  }

  func isAbsent(at index: Int) -> Bool { false }
  func isNull(at index: Int) -> Bool { text == "null" }
  func bool(at index: Int) throws -> Bool { throw scalar }
  func int64(at index: Int) throws -> Int64 { throw scalar }
  func uint64(at index: Int) throws -> UInt64 { throw scalar }
  func double(at index: Int) throws -> Double { throw scalar }
  func decimal(at index: Int) throws -> Decimal { throw scalar }
  func string(at index: Int) throws -> String { text }
  func data(at index: Int) throws -> Data { throw scalar }
  func date(at index: Int, _ format: DateFormat) throws -> Date { throw scalar }
  var suppliedValues: SuppliedValues? { nil }
  func field(at index: Int) -> FieldDescription {
    FieldDescription(path: FieldPath([]), found: "text")
  }

  private var scalar: MappingError { error(.invalidType, at: 0, expected: "scalar") }
}
