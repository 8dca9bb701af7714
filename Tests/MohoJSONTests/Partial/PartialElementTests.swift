import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoTesting
import Testing

@Suite struct PartialElementTests {
  private struct Issue: MappedModel, Equatable {
    var id: Int
    var title: String
    var body: String?
    var votes: Int

    static let mapping = Mapping<Issue>(
      "Issue", Issue.init, .key("id", \.id, .unique), .key("title", \.title),
      .key("body", \.body, json: "content.body"), .key("votes", \.votes, default: 0)
    )
    .validating(\.title, "text") { !$0.isEmpty }
  }

  private let adapter = JSONAdapter<Issue>()

  @Test func eachElementHasTheKeysThatItContains() throws {
    let text = """
      {"items": [{"id": 1, "title": "a"}, {"id": 2, "content": {"body": null}, "x": 1}, {}]}
      """

    let partials = try adapter.partials(from: text, at: "items")

    #expect(
      partials.map(\.description) == [
        #"Issue(id: 1, title: "a")"#, "Issue(id: 2, body: null)", "Issue()",
      ])
    let document = try JSONDocument(parsing: text)
    #expect(
      try adapter.partials(from: document, at: "items").map(\.description)
        == partials.map(\.description))
  }

  @Test func allErrorsOfAllElementsAreReported() throws {
    let text = #"[{"id": "1", "title": null}, {"title": ""}, {"body": 5}]"#

    let error = #expect(throws: MappingError.self) { try adapter.partials(from: text) }

    #expect(
      error?.errors.map(\.description) == [
        #"invalid type: string "1", expected integer - `Issue.id` at /0/id, 1:9"#,
        "unexpected null: null, expected string - `Issue.title` at /0/title, 1:23",
        #"failed validation: string "", expected text - `Issue.title` at /1/title, 1:40"#,
      ])
  }

  @Test func unknownKeysAreReportedOnce() throws {
    let strict = JSONAdapter<Issue>(envelope: "issue", unknownKeyPolicy: .refuse)

    let error = #expect(throws: MappingError.self) {
      try strict.partials(from: #"[{"issue": {"id": 1, "mood": "calm"}}]"#)
    }

    #expect(error?.errors.map(\.code) == [.unknownKey])
    #expect(error?.path?.pointer == "/0/issue/mood")
  }

  /// An array decodes as its elements do, one by one, in every layout.
  @Test(arguments: UInt64(0)..<UInt64(Campaign.count(short: 20, full: 200)))
  func arraysAndStreamsDecodeAsSingleObjects(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let members = [
      [#""id": 7"#, #""id": 7.5"#], [#""title": "a""#, #""title": """#, #""title": null"#],
      [#""content": {"body": "b"}"#, #""content": {"body": null}"#, #""content": {}"#],
      [#""votes": 3"#, #""votes": null"#], [#""other": [1, {"id": 2}]"#],
    ]
    let objects = (0..<5).map { _ in
      let chosen = members.compactMap { choices in
        random.below(2) == 0 ? nil : choices[random.below(choices.count)]
      }
      return "{\(chosen.joined(separator: ", "))}"
    }
    let single = objects.map { object in
      (try? adapter.partial(from: object).description) ?? "error"
    }

    var streamed: [String] = []
    let lines = Data(objects.joined(separator: "\n").utf8)
    let chunks = AsyncStream<Data> { stream in
      for start in stride(from: 0, to: lines.count, by: 7) {
        stream.yield(lines[start..<min(start + 7, lines.count)])
      }
      stream.finish()
    }
    for try await element in adapter.partials(from: chunks, as: .lines) {
      streamed.append((try? element.model.description) ?? "error")
    }
    #expect(streamed == single, "seed \(seed)")

    let array = "[\(objects.joined(separator: ","))]"
    if single.contains("error") {
      #expect(throws: MappingError.self) { try adapter.partials(from: array) }
    } else {
      #expect(try adapter.partials(from: array).map(\.description) == single, "seed \(seed)")
    }
  }

  @Test func aFileIsReadElementByElement() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "moho-\(UUID().uuidString)")
    try Data(#"[{"id": 1}, {"title": 5}, {"votes": 2}]"#.utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    var elements = adapter.partials(from: try FileHandle(forReadingFrom: url))

    var found: [String] = []
    while let element = try elements.next() {
      found.append((try? element.model.description) ?? "error \(element.index)")
    }

    #expect(found == ["Issue(id: 1)", "error 1", "Issue(votes: 2)"])
  }

  @Test func aCompletePartialModelIsAModel() throws {
    let partial = try adapter.partial(from: #"{"id": 1, "title": "a"}"#)

    #expect(
      try Issue.mapping.model(from: partial) == Issue(id: 1, title: "a", body: nil, votes: 0))
  }

  @Test func anIncompletePartialModelNamesAllMissingKeys() throws {
    let partial = try adapter.partial(from: #"{"votes": 1}"#)

    let error = #expect(throws: MappingError.self) { try Issue.mapping.model(from: partial) }

    #expect(error?.errors.map(\.key) == ["id", "title"])
    #expect(error?.errors.allSatisfy { $0.code == .missingValue } == true)
    #expect(error?.errors.first?.description == "missing value for `Issue.id`")
  }
}
