import Foundation
import MohoMapping
import Testing

@Suite struct CollectionTests {
  private let links = [
    "https://github.com/", "https://github.com/MantleFramework", "http://apple.com",
  ]

  @Test func elementsUseTheirTransform() throws {
    let transform = Transform<URL>.standard.array
    let content = FieldContent.array(links.map { .string($0) })

    let urls = try transform.read(content)

    #expect(urls.map(\.absoluteString) == links)
    #expect(try transform.written(urls) == content)
  }

  @Test func aValueThatIsNotAnArrayIsAnError() {
    #expect(
      Transform<URL>.standard.array.refusal(.string("x"))
        == "invalid type: string \"x\", expected array - `Form.value` at /0")
    #expect(
      Transform<URL>.standard.set.refusal(.null)
        == "unexpected null: null, expected array - `Form.value` at /0")
    #expect(
      Transform<URL>.standard.dictionary.refusal(.array([]))
        == "invalid type: array, expected dictionary - `Form.value` at /0")
  }

  @Test func nullElementsAreReadIfElementsAreOptional() throws {
    let transform = Transform<Int>.numberInString.optional.array
    let content = FieldContent.array([.string("1"), .null, .string("3")])

    #expect(try transform.read(content) == [1, nil, 3])
    #expect(try transform.written([1, nil, 3]) == content)
    #expect(
      Transform<Int>.numberInString.array.refusal(content)
        == "unexpected null: null, expected string - `Form.value` at /0/1")
  }

  @Test func anArrayCanBeOptional() throws {
    let transform = Transform<Int>.numberInString.optional.array.optional

    #expect(try transform.read(.null) == nil)
    #expect(try transform.read(nil) == nil)
    #expect(try transform.written(nil) == .null)
    #expect(try transform.read(.array([.null])) == [nil])
  }

  @Test func allFailedElementsAreReported() {
    #expect(
      Transform<Bool>.booleanAsNumber.array.refusal(.array([.int64(2), .int64(1), .bool(true)]))
        == """
        invalid value: number 2, expected 0 or 1 - `Form.value` at /0/0
        invalid type: true, expected integer - `Form.value` at /0/2
        """)
  }

  @Test func setsAndDictionariesUseTheirTransform() throws {
    let set = Transform<Int>.numberInString.set
    let dictionary = Transform<Int>.numberInString.dictionary
    let members = FieldContent.dictionary(["a": .string("1"), "b": .string("2")])

    #expect(try set.read(.array([.string("1"), .string("2"), .string("1")])) == [1, 2])
    #expect(try set.written([7]) == .array([.string("7")]))
    #expect(try dictionary.read(members) == ["a": 1, "b": 2])
    #expect(try dictionary.written(["a": 1, "b": 2]) == members)
  }

  @Test func lossyArraysUseTheirTransform() throws {
    let transform = Transform<Int>.numberInString.lossyArray

    let array = try transform.read(.array([.string("1"), .int64(2), .string("3")]))

    #expect(array.elements == [1, 3])
    #expect(array.dropped.map(\.found) == ["number 2"])
    #expect(try transform.written(array) == .array([.string("1"), .string("3")]))
  }

  @Test func arraysNest() throws {
    let transform = Transform<Bool>.booleanAsNumber.array.dictionary.array
    let content = FieldContent.array([.dictionary(["a": .array([.int64(1), .int64(0)])])])

    #expect(try transform.read(content) == [["a": [true, false]]])
    #expect(try transform.written([["a": [true, false]]]) == content)
  }
}
