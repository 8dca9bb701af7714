import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Sample: MappedModel, Equatable {
  var id: Int
  var value: Double

  static let mapping = Mapping(
    "Sample", Sample.init, .key("id", \.id, .unique), .key("value", \.value))
}

/// A model in the text of another one.
private struct Envelope: MappedModel, Equatable {
  var id: Int
  @Indirect var content: Envelope?

  static let adapter = JSONAdapter<Envelope>()

  static let mapping = Mapping<Envelope>(
    "Envelope", Envelope.init, .key("id", \.id),
    .key(
      "content", \.content,
      Transform(
        .string, read: { try adapter.model(from: $0.string(at: $1)) },
        write: { try $1.encode(adapter.text(from: $0), at: $2) }
      ).optional))
}

/// Adapters reuse scanners and writers.
@Suite struct ReuseTests {
  private let formats: [JSONFormatting] = [.compact, .pretty, .sorted, [.pretty, .sorted]]

  @Test func textDoesNotDependOnEarlierText() throws {
    let shared = JSONAdapter<ScannedShow>()
    var count = 0
    for seed in 0..<30 as Range<UInt64> {
      var random = RandomShow(seed: seed)
      let data = Data(random.object())
      guard let model = try? shared.withoutFastPath.model(from: data) else { continue }
      let partial = try shared.withoutFastPath.partial(from: data)
      let nullPolicy: NullPolicy = seed.isMultiple(of: 2) ? .omit : .null
      count += 1
      for formatting in formats {
        func texts(_ adapter: JSONAdapter<ScannedShow>) throws -> [Data] {
          [
            try adapter.data(from: model, formatting: formatting, nullPolicy: nullPolicy),
            try adapter.data(from: [model, model], formatting: formatting, nullPolicy: nullPolicy),
            try adapter.data(from: partial, formatting: formatting, nullPolicy: nullPolicy),
            try adapter.data(from: [partial], formatting: formatting, nullPolicy: nullPolicy),
          ]
        }
        let expected = try texts(JSONAdapter())
        #expect(try texts(shared) == expected, "seed \(seed)")
      }
    }
    #expect(count > 5)
  }

  @Test func anErrorLeavesNothingBehind() throws {
    let adapter = JSONAdapter<Sample>()
    let samples = [Sample(id: 1, value: 0.5), Sample(id: 2, value: 1)]
    let text = #"[{"id":1,"value":0.5},{"id":2,"value":1}]"#

    for broken in [Sample(id: 3, value: .nan), Sample(id: 4, value: .infinity)] {
      #expect(throws: MappingError.self) { try adapter.data(from: samples + [broken]) }
      #expect(throws: MappingError.self) { try adapter.models(from: #"[{"id":1},{"id":"2"}]"#) }
      #expect(throws: JSONError.self) { try adapter.models(from: text.dropLast() + "x") }
      #expect(try adapter.text(from: samples) == text)
      #expect(try adapter.models(from: text) == samples)
    }
  }

  @Test func anAdapterCanBeCalledByItself() throws {
    let model = Envelope(
      id: 1, content: Envelope(id: 2, content: Envelope(id: 3, content: nil)))
    let text = try Envelope.adapter.text(from: model)

    #expect(text == #"{"id":1,"content":"{\"id\":2,\"content\":\"{\\\"id\\\":3}\"}"}"#)
    for _ in 0..<3 { #expect(try Envelope.adapter.model(from: text) == model) }
  }
}
