import Foundation
import MohoJSON
import MohoMapping
import Testing

/// Collects values of the elements of arrays.
private struct CollectedShow: MappedModel, Equatable {
  var title: String?
  var numbers: [JSONValue?]?
  var starts: [Int?]?
  var firsts: [Double?]
  var urls: Set<String>?
  var notes: LossyArray<Int>

  static let mapping = Mapping(
    "CollectedShow", CollectedShow.init,
    .key("title", \.title),
    .key("numbers", \.numbers, json: "parts[*].n"),
    .key("starts", \.starts, json: "best.parts[*].at.start"),
    .key("firsts", \.firsts, json: "grid[*][0]", default: [Double?]()),
    .key("urls", \.urls, json: "images[*].url"),
    .key("notes", \.notes, json: "notes[*]", default: LossyArray()))
}

@Suite struct ScanCollectedTests {
  private let scanning = JSONAdapter<CollectedShow>()
  private let parsing = JSONAdapter<CollectedShow>().withoutFastPath

  @Test(
    arguments: [
      "{}", #"{"parts":[],"grid":[],"images":null,"best":null}"#,
      #"{"parts":[{"n":1},{"x":2,"\u006e":{"a":[3]}},{},null,{"n":null}]}"#,
      #"{"best":{"n":1,"parts":[{"at":{"start":1}},{"at":null},{"at":{}},{}]},"title":"t"}"#,
      #"{"grid":[[1.5,2],[],[0],null]}"#, #"{"images":[{"url":"a"},{"url":"b","x":1}]}"#,
      #"{"notes":[1,2,3]}"#,
    ])
  func valuesAreCollected(text: String) throws {
    let data = Data(text.utf8)

    #expect(scanning.isScanned(data))
    #expect(try scanning.model(from: data) == parsing.model(from: data))
  }

  @Test(
    arguments: [
      #"{"parts":7}"#, #"{"parts":{"n":1}}"#, #"{"best":[1]}"#, #"{"grid":[{"a":1}]}"#,
      #"{"grid":[["x"]]}"#, #"{"images":[{"url":"a"},{}]}"#, #"{"images":[null]}"#,
      #"{"best":{"parts":[{"at":7}]}}"#,
    ])
  func uncommonTextTakesTheDiagnosticPath(text: String) {
    let data = Data(text.utf8)

    #expect(!scanning.isScanned(data))
    #expect(
      Verdict { try scanning.model(from: data) } == Verdict { try parsing.model(from: data) })
  }

  @Test func randomObjectsAreReadAlike() throws {
    try expectAgreement(of: CollectedShow.self) { data, _, comment in
      #expect(
        Verdict { try scanning.data(from: scanning.partial(from: data)) }
          == Verdict { try parsing.data(from: parsing.partial(from: data)) }, comment)
    }
  }
}
