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

  @Test func localizedDescriptionsOfArchiveErrorsAreTheirMessages() throws {
    let error = #expect(throws: ArchiveError.self) {
      try ModelArchive<Track>(version: 1).model(from: Data(#"{"version": 2, "model": {}}"#.utf8))
    }

    #expect(error?.localizedDescription == error?.description)
  }
}
