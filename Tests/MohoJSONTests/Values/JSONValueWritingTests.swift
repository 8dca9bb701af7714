import Foundation
import MohoJSON
import MohoMapping
import Testing

@Suite struct JSONValueWritingTests {
  private let value: JSONValue = [
    "b": [1, 2.5, nil, true, [:], []], "a": ["key \"1\"": "é\n\u{1}"], "z": -3,
  ]

  @Test func membersAreWrittenInTheirOrder() throws {
    #expect(
      try value.data().text
        == #"{"b":[1,2.5,null,true,{},[]],"a":{"key \"1\"":"é\n\u0001"},"z":-3}"#)
  }

  @Test func prettyTextHasALineForEachValue() throws {
    let value: JSONValue = ["a": [1, ["b": 2]], "c": []]

    #expect(
      try value.data(formatting: .pretty).text == """
        {
          "a": [
            1,
            {
              "b": 2
            }
          ],
          "c": []
        }
        """)
  }

  @Test(arguments: [JSONFormatting.compact, .pretty])
  func encodedModelsDecodeToEqualModels(formatting: JSONFormatting) throws {
    #expect(try JSONDocument(parsing: value.data(formatting: formatting)).value() == value)
  }

  @Test func numbersThatAreNotFiniteAreErrorsWithTheirPaths() {
    let value: JSONValue = ["a": [1, .number(.infinity)]]

    let error = #expect(throws: MappingError.self) { try value.data() }

    #expect(
      error?.description == "invalid value: number inf, expected finite number - value at /a/1")
  }

  @Test func modelsBecomePartOfADocument() throws {
    let episodes = [
      Episode(id: 1, title: "One", kind: .free, duration: 1.5),
      Episode(id: 2, title: "Two", kind: .paid, duration: nil),
    ]
    let adapter = JSONAdapter<Episode>(envelope: "episode")
    let document: JSONValue = ["title": "Feed", "items": try adapter.value(from: episodes)]

    let read = try adapter.models(from: document.data(), at: "items")

    #expect(read == episodes)
  }
}
