import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct PositionTests {
  private let adapter = JSONAdapter<Episode>()
  private let enveloped = JSONAdapter<Episode>(envelope: "episode")

  @Test func theMessageEndsWithLineAndColumn() {
    let text = #"""
      {"items": [
        {"id": 1, "title": "One", "episode_type": "free"},
        {"id": "12a", "title": "Two", "episode_type": "free"}]}
      """#

    let error = #expect(throws: MappingError.self) {
      _ = try adapter.models(from: Data(text.utf8), at: "items")
    }

    #expect(
      error?.description
        == #"invalid type: string "12a", expected integer - `Episode.id` at /items/1/id, 3:10"#)
    #expect(error?.position == TextPosition(line: 3, column: 10, offset: 74))
  }

  @Test func aMissingKeyHasThePositionOfItsObject() {
    let text = #"[{"episode": {"title": "One", "episode_type": "free"}}, {}, 7]"#

    #expect(
      positions { _ = try enveloped.models(from: Data(text.utf8)) }
        == ["/0/episode/id 1:14", "/1/episode 1:57", "/2 1:61"])
  }

  @Test(arguments: [
    ("5", " 1:1"), (" \r\n\t5", " 2:2"), ("\u{FEFF}5", " 1:1"), ("\u{FEFF}\n[]", " 2:1"),
  ])
  func theRootHasAPosition(text: String, place: String) {
    #expect(positions { _ = try adapter.model(from: Data(text.utf8)) } == [place])
  }

  @Test func columnsCountCharacters() {
    let text = "{\"title\":\"e\u{301}👩‍👩‍👧\",\"episode_type\":\"free\",\"id\":true}"

    #expect(positions { _ = try adapter.model(from: Data(text.utf8)) } == ["/id 1:42"])
  }

  @Test func keysWithEscapesAreFound() {
    let text = #"{"x":[{"id":"}"},"\"]"],"t\u0069tle":3,"id" : 1,"\u0065pisode_type":"free"}"#

    #expect(positions { _ = try adapter.model(from: Data(text.utf8)) } == ["/title 1:38"])
  }

  @Test func documentsLocateErrors() throws {
    let document = try JSONDocument(parsing: "{\"items\":\n[3,\n4]}")

    #expect(
      positions { _ = try adapter.models(from: document, at: "items") }
        == ["/items/0 2:2", "/items/1 3:1"])
    #expect(positions { _ = try adapter.models(from: document, at: "more") } == ["/more 1:1"])
    #expect(
      try adapter.lossyModels(from: document, at: "items").failures.map(\.error.position?.offset)
        == [11, 14])
  }

  @Test func positionsOfManyErrorsAreFoundInLinearTime() {
    let elements = (0..<5_000).map { #"{"id":\#($0),"title":"…","episode_type":"none"}"# }
    let text = "[" + elements.joined(separator: ",\n") + "]"

    let found = positions { _ = try adapter.models(from: Data(text.utf8)) }

    #expect(found.count == 5_000)
    #expect(found.last == "/4999/episode_type 5000:39")
  }

  @Test func onRequestTheFirstErrorEndsTheReading() {
    let adapter = JSONAdapter<Episode>(errorPolicy: .first)
    let text = #"[{"id":1,"title":"One","episode_type":"paid"},{"id":2},{"id":3},nonsense]"#

    let found = positions { _ = try adapter.models(from: Data(text.utf8)) }

    #expect(found == ["/1/title 1:47"])
  }

  private func positions(_ body: () throws -> Void) -> [String] {
    do {
      try body()
      return []
    } catch let error as MappingError {
      return error.errors.map { error in
        "\(error.path?.pointer ?? "") \(error.position.map(\.description) ?? "")"
      }
    } catch {
      return ["another error: \(error)"]
    }
  }
}
