import TerminalScreen
import Testing

@Suite struct TerminalTraitsTests {
  @Test(arguments: [
    ([:], false), (["TERM": "dumb"], false), (["TERM": ""], false), (["TERM": "xterm"], true),
  ])
  func aDumbTerminalIsNotAddressable(environment: [String: String], isAddressable: Bool) {
    #expect(TerminalTraits(environment: environment).isAddressable == isAddressable)
  }

  @Test(arguments: [([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "0"], false)])
  func noColorDisablesColors(environment: [String: String], hasColor: Bool) {
    #expect(TerminalTraits(environment: environment).hasColor == hasColor)
  }

  @Test(arguments: [
    ([:], false), (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true),
    (["LANG": "C.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], true),
    (["LANG": "C.UTF-8", "LC_ALL": ""], true),
  ])
  func theFirstLocaleVariableDeterminesTheEncoding(environment: [String: String], isUTF8: Bool) {
    #expect(TerminalTraits(environment: environment).isUTF8 == isUTF8)
  }
}
