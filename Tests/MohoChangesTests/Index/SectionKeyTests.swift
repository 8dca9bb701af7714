import MohoChanges
import Testing

@Suite struct SectionKeyTests {
  @Test(arguments: [
    (SectionKey.all, "", "all"),
    (.null, "", "null"),
    (.integer(-5), "-5", "-5"),
    (.real(1.5), "1.5", "1.5"),
    (.text("Drama"), "Drama", "\"Drama\""),
  ])
  func nameIsThePlainValue(key: SectionKey, name: String, description: String) {
    #expect(key.name == name)
    #expect(key.description == description)
  }

  @Test func keysOfDifferentKindsDiffer() {
    let keys: [SectionKey] = [.all, .null, .integer(1), .real(1.5), .text("1"), .text("")]

    #expect(Set(keys).count == keys.count)
  }

  @Test(arguments: [(0, -0.0), (1, 1.0), (Int64.min, -0x1p63), (1 << 53, 0x1p53)])
  func equalNumbersAreOneKey(integer: Int64, real: Double) {
    #expect(SectionKey.integer(integer) == .real(real))
    #expect(SectionKey.real(real) == .integer(integer))
    #expect(Set([SectionKey.integer(integer), .real(real)]).count == 1)
  }

  @Test func numbersThatOnlyRoundToEachOtherAreTwoKeys() {
    #expect(SectionKey.integer(.max) != .real(0x1p63))
    #expect(SectionKey.integer(1 << 53 + 1) != .real(0x1p53))
    #expect(SectionKey.integer(0) != .real(.nan))
  }

  @Test func canonicallyEquivalentTextsAreTwoKeys() {
    let composed = SectionKey.text("Caf\u{E9}")
    let decomposed = SectionKey.text("Cafe\u{301}")

    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(composed == .text("Caf\u{E9}"))
  }

  @Test func printedTextHasEscapesForWhatWouldSteerATerminal() {
    #expect(SectionKey.text("a\u{1B}[2J\n\u{202E}é").description == #""a\u{1B}[2J\n\u{202E}é""#)
    #expect(SectionKey.text("👩\u{200D}🔬").description == "\"👩\u{200D}🔬\"")
    #expect(SectionKey.text("a\u{1B}").name == "a\u{1B}")
  }
}
