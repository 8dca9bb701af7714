import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Span: MappedModel, Equatable {
  var from: Int
  var to: Int

  static let mapping = Mapping<Span>("Span", Span.init, .key("from", \.from), .key("to", \.to))
    .validating("a span that ends behind its beginning") { $0.from < $0.to }
}

extension Span: Codable {}

private struct Track: MappedModel, Equatable {
  var spans: [Span]
  var cut: Span
  static let mapping = Mapping(
    "Track", Track.init, .key("spans", \.spans), .inlined("cut", \.cut))
}

@Suite struct ModelValidationTests {
  private let good = #"{"from":1,"to":2}"#
  private let bad = #"{"from":2,"to":1}"#

  private func message(_ path: String) -> String {
    "failed validation: nothing, expected a span that ends behind its beginning - \(path)"
  }

  @Test func anInvalidModelHasItsPosition() {
    let root = #expect(throws: MappingError.self) {
      try JSONAdapter<Span>().model(from: Data(" \(bad)".utf8))
    }
    #expect(root?.description == message("`Span` at /, 1:2"))

    let enveloped = #expect(throws: MappingError.self) {
      try JSONAdapter<Span>(envelope: "data.span")
        .models(from: Data(#"[{"data":{"span":\#(good)}},{"data":{"span":\#(bad)}}]"#.utf8))
    }
    #expect(enveloped?.description == message("`Span` at /1/data/span, 1:54"))
  }

  @Test func nestedAndInlinedModelsStoreTheirUnknownMembers() {
    let error = #expect(throws: MappingError.self) {
      try JSONAdapter<Track>()
        .model(from: Data(#"{"from":1,"to":0,"spans":[\#(good),\#(bad)]}"#.utf8))
    }

    #expect(
      error?.description == message("`Span` at /spans/1, 1:45") + "\n" + message("`Span` at /, 1:1")
    )
  }

  @Test func streamsAndDecodersHaveTheSameError() async throws {
    var found: [String] = []
    for try await element in JSONAdapter<Span>()
      .elements(from: ByteSequence("\(good)\n\(bad)".utf8), as: .lines)
    {
      if case .failure(let error) = element.result { found.append(error.description) }
    }
    #expect(found == [message("`Span` at /1, 2:1")])

    let error = #expect(throws: MappingError.self) {
      try JSONDecoder().decode([Span].self, from: Data("[\(bad)]".utf8))
    }
    #expect(error?.path?.pointer == "/0")
  }
}
