import Foundation
import MohoMapping
import Testing

@Suite struct CompositionTests {
  private let contents: [FieldContent?] = [
    .string("foo"), .string(""), .string("5"), .int64(5), .null, nil, .array([.string("5")]),
  ]

  private func expectAlike<Value: Equatable>(
    _ one: Transform<Value>, _ other: Transform<Value>, values: [Value]
  ) throws {
    for content in contents {
      #expect(one.refusal(content) == other.refusal(content))
    }
    for value in values { #expect(try one.written(value) == other.written(value)) }
    #expect(one.issues == other.issues)
  }

  @Test func mappingByTheIdentityChangesNothing() throws {
    try expectAlike(
      Transform<Int>.numberInString.map(to: { $0 }, from: { $0 }), .numberInString,
      values: [1, -1])
  }

  @Test func mappingTwiceEqualsMappingOnce() throws {
    let twice = Transform<Int>.numberInString
      .map(to: { $0 + 1 }, from: { $0 - 1 }).map(to: { $0 * 2 }, from: { $0 / 2 })
    let once = Transform<Int>.numberInString.map(
      to: { ($0 + 1) * 2 }, from: { $0 / 2 - 1 })

    try expectAlike(twice, once, values: [0, 2, 12])
  }

  @Test func oneFunctionCanBeBothDirections() throws {
    let transform = Transform<String>.standard.map(to: { $0 + "bar" }, from: { $0 + "bar" })

    #expect(try transform.read(.string("foo")) == "foobar")
    #expect(try transform.written("foo") == .string("foobar"))
  }

  @Test func swappedFunctionsAreTheInverse() throws {
    let to: @Sendable (String) -> String = { $0 + "!" }
    let from: @Sendable (String) -> String = { $0 + "?" }
    let transform = Transform<String>.standard.map(to: to, from: from)
    let inverse = Transform<String>.standard.map(to: from, from: to)

    #expect(try transform.read(.string("a")) == "a!")
    #expect(try inverse.written("a") == .string("a!"))
    #expect(try transform.written("a") == .string("a?"))
    #expect(try inverse.read(.string("a")) == "a?")
  }

  @Test func errorsSurviveComposition() {
    let transform = Transform<Int>.numberInString.map(
      expected: "even number", to: { $0 % 2 == 0 ? $0 : nil }, from: { $0 })

    #expect(
      transform.refusal(.string("3"))
        == "invalid value: string \"3\", expected even number - `Form.value` at /0")
    #expect(
      transform.array.dictionary.refusal(.dictionary(["a": .array([.string("4"), .bool(true)])]))
        == "invalid type: true, expected string - `Form.value` at /0/a/1")
    #expect(
      Transform<Double>.numberInString.map(to: { $0 }, from: { $0 }).optional.array
        .refusal(writing: [1, nil, .nan])
        == "invalid value: nan, expected finite number - `Form.value`")
  }

  @Test func theFirstFormThatSucceedsIsRead() throws {
    let transform = Transform<Int>.numberInString.or(.standard)

    #expect(try transform.read(.string("5")) == 5)
    #expect(try transform.read(.int64(5)) == 5)
    #expect(try transform.written(5) == .string("5"))
    #expect(Form.mapping(transform).keys[0].type == .string)
  }

  @Test func anErrorListsAllForms() {
    let transform = Transform<UUID>.standard
      .or(Transform<String>.standard.map(to: { $0 == "0" ? UUID() : nil }, from: { $0.uuidString }))
      .or(Transform<Int>.standard.map(to: { _ in nil }, from: { _ in 0 }))

    #expect(
      transform.refusal(.bool(true))
        == "invalid type: true, expected string or string or integer - `Form.value` at /0")
    #expect(
      transform.refusal(.string("1"))
        == "invalid value: string \"1\", expected UUID or UUID or integer - `Form.value` at /0")
    #expect(transform.refusal(nil) == "missing value for `Form.value` at /0")
    #expect(
      transform.refusal(.null)
        == "unexpected null: null, expected string or string or integer - `Form.value` at /0")
  }

  @Test func anErrorInsideAValueIsThrownUnchanged() throws {
    let one = Transform<Int>.standard.map(
      expected: "number", to: { [$0] }, from: { $0.first ?? 0 })
    let transform = one.or(Transform<Int>.standard.array)

    #expect(try transform.read(.int64(5)) == [5])
    #expect(try transform.read(.array([.int64(5)])) == [5])
    #expect(
      transform.refusal(.array([.int64(5), .bool(true)]))
        == "invalid type: true, expected integer - `Form.value` at /0/1")
    #expect(
      transform.refusal(.bool(true))
        == "invalid type: true, expected integer or array - `Form.value` at /0")
  }

  @Test func errorsOfCustomTransformsAreListed() {
    struct Odd: Error {}
    let transform = Transform<Int>(
      .integer, read: { _, _ in throw Odd() }, write: { try $1.encode(Int64($0), at: $2) })

    #expect(
      transform.or(.standard).refusal(.bool(true))
        == "invalid value: true, expected integer - `Form.value` at /0: Odd()")
  }

  @Test func problemsOfAllPartsAreReported() {
    let broken = Transform<Int>(
      .integer, problems: ["it is broken"], read: { _, _ in 0 }, write: { _, _, _ in })

    #expect(broken.or(broken).array.optional.set.dictionary.issues.count == 2)
    #expect(broken.issues == ["`value`: it is broken"])
    #expect(Form.mapping(broken.optional).keys[0].isOptional)
  }
}
