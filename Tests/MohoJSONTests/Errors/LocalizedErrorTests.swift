import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Track: MappedModel {
  var id: Int

  static let mapping = Mapping("Track", Track.init, .key("id", \.id, .unique))
}

@Suite struct LocalizedErrorTests {
  private let adapter = JSONAdapter<Track>()

  @Test(arguments: [#"{"id": "1"}"#, #"{"id" 1}"#])
  func localizedDescriptionsOfJSONErrorsAreTheirMessages(json: String) throws {
    let error = #expect(throws: (any Error).self) {
      try adapter.model(from: Data(json.utf8))
    }

    #expect(error?.localizedDescription == error.map { "\($0)" })
  }

  @Test func numbersInMessagesHaveAtMost80Characters() throws {
    let digits = String(repeating: "1", count: 81)
    for (text, found) in [(digits, digits.dropLast() + "…"), ("-\(digits.dropLast(2))", "")] {
      let error = #expect(throws: MappingError.self) {
        try adapter.model(from: Data(#"{"id": \#(text)}"#.utf8))
      }

      #expect(error?.found == "number \(found.isEmpty ? Substring(text) : Substring(found))")
    }
  }

  @Test func localizedDescriptionsOfArchiveErrorsAreTheirMessages() throws {
    let error = #expect(throws: ArchiveError.self) {
      try ModelArchive<Track>(version: 1).model(from: Data(#"{"version": 2, "model": {}}"#.utf8))
    }

    #expect(error?.localizedDescription == error?.description)
  }
}
