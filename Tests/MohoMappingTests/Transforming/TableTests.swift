import MohoMapping
import Testing

private enum Kind: Sendable, CaseIterable { case free, paid, other }

@Suite struct TableTests {
  private let table = Transform<Kind>.table(["free": .free, "subscriber": .paid, "x": .other])

  @Test func valuesAreReadAndWrittenWithATable() throws {
    for (text, kind) in [("free", Kind.free), ("subscriber", .paid), ("x", .other)] {
      #expect(try table.read(.string(text)) == kind)
      #expect(try table.written(kind) == .string(text))
    }
    #expect(try table.optional.read(.null) == nil)
    #expect(try table.optional.written(nil) == .null)
    #expect(table.issues == [])
  }

  @Test func aRepresentationThatIsNotInTheTableIsAnError() {
    #expect(
      table.refusal(.string("Free"))
        == #"invalid value: string "Free", expected one of "free", "subscriber", "x""#
        + " - `Form.value` at /0")
    #expect(
      table.refusal(.int64(1)) == "invalid type: number 1, expected string - `Form.value` at /0")
    #expect(
      table.refusal(.null) == "unexpected null: null, expected string - `Form.value` at /0")
    #expect(
      Transform<Kind>.table(["free": .free]).refusal(writing: .paid)
        == "invalid value: `paid`, expected one of `free` - `Form.value`")
  }

  @Test func unknownAndUnlistedValuesCanHaveDefaults() throws {
    let table = Transform<Int>.table(
      ["negative": -1, "zero": 0, "positive": 1], unknown: 42, unlisted: "default")

    #expect(table.issues == [])
    #expect(try table.read(.string("unknown")) == 42)
    #expect(try table.written(42) == .string("default"))
    #expect(try table.read(.string("zero")) == 0)
    #expect(try table.written(0) == .string("zero"))
    #expect(table.refusal(.int64(0)).hasPrefix("invalid type: number 0"))
  }

  @Test func nullCanRepresentAValue() throws {
    let listed = Transform<Kind>.table(["free": .free, "paid": .paid], null: .free)
    let unlisted = Transform<Kind>.table(["free": .free, "paid": .paid], null: .other)

    #expect(try listed.read(.null) == .free)
    #expect(try listed.read(nil) == .free)
    #expect(try listed.written(.free) == .string("free"))
    #expect(try unlisted.read(.null) == .other)
    #expect(try unlisted.written(.other) == .null)
    #expect(Form.mapping(unlisted).keys[0].isOptional)
    #expect(listed.issues + unlisted.issues == [])
  }

  @Test func representationsCanHaveAnyType() throws {
    let table = Transform<Kind>.table([0: .free, 1: .paid])

    #expect(try table.read(.int64(1)) == .paid)
    #expect(try table.written(.paid) == .int64(1))
    #expect(
      table.refusal(.int64(2))
        == "invalid value: number 2, expected one of 0, 1 - `Form.value` at /0")
  }

  @Test func mistakesInTheTableAreReported() {
    #expect(
      Transform<Kind>.table(["a": .free, "a": .paid, "b": .free, "a": .other]).issues == [
        #"`value`: the table has "a" twice"#, "`value`: the table has the value `free` twice",
      ])
    #expect(
      Transform<Kind>.table(["a": .free], unknown: .other).issues
        == ["`value`: `other`, the value for unknown representations, cannot be written"])
    #expect(
      Transform<Kind>.table(KeyValuePairs<String, Kind>()).array.issues
        == ["`value`: the table is empty"])
  }
}
