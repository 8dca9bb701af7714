import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Documents whose keys and values steer terminals, and the messages about them.
@Suite struct HostileTextTests {
  private struct Track: MappedModel {
    var id: Int
    var titles: [String: Int]

    static let mapping = Mapping("Track", Track.init, .key("id", \.id), .key("titles", \.titles))
  }

  private static let text = "\u{7F}\u{9B}2J\u{2028}\u{202E}\u{2066}\u{FEFF}\u{E0041}"
  private static let escapes = "\\u001b[2J\\n\\u0085\(text)"

  @Test(arguments: [
    #"{"id": "\#(escapes)", "titles": {}}"#, #"{"id": 1, "titles": {"\#(escapes)": "x"}}"#,
    #"{"id\#(escapes)": 1, "titles": {}}"#, #"{"id": 1, "titles": {}, "\#(escapes)": 1}"#,
    #"{"\#(escapes)": 1, "\#(escapes)": 2}"#, "[\(text)]", "{\"a\": \u{1B}[2J}",
    "{\"\u{1B}[2J\": 1}",
    #"{"a": "\\#(text)"}"#, "1\(text)", "\(text)1", #"{"a" "\#(escapes)"}"#, #"["\#(escapes)" 1]"#,
  ])
  func messagesHaveEscapes(document: String) {
    let adapter = JSONAdapter<Track>(unknownKeyPolicy: .refuse)

    let error = #expect(throws: (any Error).self) {
      _ = try adapter.model(from: Data(document.utf8))
    }

    let message = error.map { "\($0)" } ?? ""
    #expect(message.escapedLines == message)
    #expect(error?.localizedDescription == message)
  }
}

extension String {
  /// The text with the escapes of messages, but for line feeds between errors.
  fileprivate var escapedLines: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).escapedForMessages }.joined(separator: "\n")
  }
}
