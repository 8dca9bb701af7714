import Foundation
import MohoMapping
import MohoResults
import MohoRows
import StoreTesting
import Testing

private struct Sample: MappedModel, Hashable {
  var id: Int
  var isPlayed: Bool
  var number: Int
  var text: String
  var code: UUID

  static let mapping = Mapping(
    "Sample", Sample.init, .key("id", \.id, .unique), .key("isPlayed", \.isPlayed),
    .key("number", \.number), .key("text", \.text), .key("code", \.code))
}

/// Lists whose condition requires one value of a column. The written rows show which of
/// them cannot be in the list.
@Suite(.allEngines) struct FixedValueTests {
  private static let codes = [UUID(), UUID()]

  private static var requests: [(name: String, request: ModelRequest<Sample>)] {
    let all = ModelRequest<Sample>().order(by: \.id)
    return [
      ("false", all.filter { $0.isPlayed == false }), ("true", all.filter { $0.isPlayed == true }),
      ("zero", all.filter { $0.number == 0 }), ("number", all.filter { $0.number == -7 }),
      ("empty", all.filter { $0.text == "" }), ("text", all.filter { $0.text == "é" }),
      ("code", all.filter { $0.code == codes[0] }),
    ]
  }

  private static func sample(_ id: Int, isPlayed: Bool, number: Int, text: String) -> Sample {
    Sample(id: id, isPlayed: isPlayed, number: number, text: text, code: codes[id % 2])
  }

  @Test func rowsAreInsertedAndDeletedByTheRequiredValue() throws {
    let store = try emptyStore(Sample.self)
    let lists = try Self.requests.map { name, request in
      (name, request, try ResultsController(request, in: store))
    }
    let states: [[Sample]] = [
      [Self.sample(1, isPlayed: false, number: 0, text: "")],
      [Self.sample(2, isPlayed: true, number: -7, text: "é")],
      [
        Self.sample(1, isPlayed: true, number: -7, text: "é"),
        Self.sample(3, isPlayed: false, number: 1, text: "e\u{301}"),
      ],
      [
        Self.sample(1, isPlayed: false, number: 1, text: "e"),
        Self.sample(2, isPlayed: false, number: 0, text: ""),
      ],
    ]
    for samples in states {
      for sample in samples { try store.write { try $0.save(sample) } }
      for (name, request, list) in lists {
        #expect(try list.snapshot.models() == store.fetch(request), "\(name)")
      }
    }
    #expect(lists.allSatisfy { $0.2.snapshot.generation > 0 })
  }
}
