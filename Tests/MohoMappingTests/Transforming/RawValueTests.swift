import MohoMapping
import Testing

private enum Kind: String, CaseIterable, FieldValue { case free, paid, other }

private enum Season: Int, Sendable { case winter = 1, summer = 3 }

@Suite struct RawValueTests {
  @Test func unknownRawValuesAreErrorsUnlessDeclared() {
    #expect(
      Transform<Kind>.standard.refusal(.string("gift"))
        == #"invalid value: string "gift", expected one of "free", "paid", "other" - `Form.value` at /0"#
    )
  }

  @Test func unknownRawValuesCanHaveADefault() throws {
    let transform = Transform<Kind>.rawValue(unknown: .other)

    #expect(try transform.read(.string("gift")) == .other)
    #expect(try transform.read(.string("paid")) == .paid)
    #expect(try transform.written(.other) == .string("other"))
    #expect(try transform.optional.read(.null) == nil)
    #expect(
      transform.refusal(.int64(1)) == "invalid type: number 1, expected string - `Form.value` at /0"
    )
  }

  @Test func unknownRawValuesCanBePreserved() throws {
    let transform = Transform<OpenEnum<Season>>.standard

    #expect(try transform.read(.int64(3)) == .known(.summer))
    #expect(try transform.read(.int64(3)).value == .summer)
    #expect(try transform.read(.int64(9)) == .unknown(9))
    #expect(try transform.read(.int64(9)).value == nil)
    #expect(try transform.written(.unknown(9)) == .int64(9))
    #expect(try transform.written(.known(.winter)) == .int64(1))
    #expect(try transform.optional.read(.null) == nil)
    #expect(
      transform.refusal(.string("x"))
        == "invalid type: string \"x\", expected integer - `Form.value` at /0")
  }

  @Test func openEnumsAreEqualByTheirRawValues() {
    #expect(OpenEnum<Season>.unknown(1) == .known(.winter))
    #expect(Set<OpenEnum<Season>>([.unknown(1), .known(.winter), .known(.summer)]).count == 2)
    #expect(OpenEnum<Season>(rawValue: 1).value == .winter)
  }
}
