import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

/// Tests the messages about values, paths and names that contain terminal
/// control sequences.
@Suite(.allEngines) struct HostileTextTests {
  struct Label: MappedModel {
    var text: String
    var size: Int

    static let mapping = Mapping(
      "Label", Label.init, .key("text", \.text, .unique), .key("size", \.size))
  }

  static let text = "a\u{1B}[2J\n\u{85}\u{9B}\u{2028}\u{202E}\u{2066}\u{FEFF}\u{E0041}"

  func expectEscapes(
    _ location: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) {
    let error = #expect(throws: (any Error).self, sourceLocation: location) { try body() }
    let message = error.map { "\($0)" } ?? ""
    for line in message.split(separator: "\n") {
      #expect(String(line).escapedForMessages == line, sourceLocation: location)
    }
  }

  @Test func namesHaveEscapes() throws {
    let store = try emptyStore(Label.self)
    expectEscapes { _ = try store.fetchCount(RowRequest(Self.text)) }
    expectEscapes {
      _ = try store.fetchCount(RowRequest("Label").filter { $0[Self.text] == "x" })
    }
  }

  @Test func valuesHaveEscapes() throws {
    let store = try emptyStore(Label.self)
    let context = EditingContext(store)
    for _ in 0..<2 {
      let row = try context.insert(Label.self)
      try row.set(\Label.text, to: Self.text)
      try row.set(\Label.size, to: 1)
    }
    expectEscapes { try context.save() }
  }
}
