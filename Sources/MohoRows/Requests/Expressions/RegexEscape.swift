/// Parses escape sequences of regular expressions.
enum RegexEscape {
  /// Parses the characters after a backslash.
  static func part(_ rest: inout Substring, _ options: String) throws -> RegexParser.Part {
    let letter = rest.popFirst() ?? "\\"
    switch letter {
    case "A", "z", "Z", "b", "B", "y", "Y":
      return .syntax(.position(RegexAtom("\\\(letter)", options)))
    case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V", "R", "X":
      return .syntax(.character(RegexAtom("\\\(letter)", options)))
    case "p", "P", "N":
      guard let name = braced(&rest) else { throw RegexIssue.unsupported("`\\\(letter)`") }
      return .syntax(.character(RegexAtom("\\\(letter){\(name)}", options)))
    case "t": return .literal("\t")
    case "n": return .literal("\n")
    case "r": return .literal("\r")
    case "f": return .literal("\u{0C}")
    case "e": return .literal("\u{1B}")
    case "a": return .literal("\u{07}")
    case "x": return .literal(try scalars(&rest, letter, digits: 2))
    case "u": return .literal(try scalars(&rest, letter, digits: 4))
    case "U": return .literal(try scalars(&rest, letter, digits: 8))
    case "Q":
      let end = rest.firstRange(of: "\\E")
      let text = rest[..<(end?.lowerBound ?? rest.endIndex)]
      rest = rest[(end?.upperBound ?? rest.endIndex)...]
      return .literal(String(text))
    case "1"..."9", "k", "g": throw RegexIssue.backtracking("a back reference")
    case _ where letter.isASCII && (letter.isLetter || letter.isNumber):
      throw RegexIssue.unsupported("`\\\(letter)`")
    default: return .literal(String(letter))
    }
  }

  private static func braced(_ rest: inout Substring) -> String? {
    guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return nil }
    defer { rest = rest[rest.index(after: end)...] }
    return String(rest[..<end].dropFirst())
  }

  /// Parses Unicode scalars: a fixed number of hexadecimal digits, or numbers
  /// in braces.
  private static func scalars(
    _ rest: inout Substring, _ letter: Character, digits: Int
  ) throws -> String {
    let numbers: [Substring]
    if let text = braced(&rest) {
      numbers = Substring(text).split(separator: " ")
    } else {
      numbers = [rest.prefix(digits)]
      rest = rest.dropFirst(digits)
      guard numbers[0].count == digits else { throw RegexIssue.unsupported("`\\\(letter)`") }
    }
    var text = ""
    for number in numbers {
      guard let value = UInt32(number, radix: 16), let scalar = Unicode.Scalar(value) else {
        throw RegexIssue.unsupported("`\\\(letter)\(number)`")
      }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}
