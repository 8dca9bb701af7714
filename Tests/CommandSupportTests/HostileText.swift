import CommandTesting
import Foundation
import Testing

/// Text that controls terminals, breaks lines and reverses the text direction.
enum HostileText {
  /// Scalars that a program must escape.
  static let scalars: [Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0x01...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x2069, 0xFEFF...0xFEFF, 0xE0001...0xE0001, 0xE0020...0xE007F,
    ]
    return ranges.joined().compactMap { Unicode.Scalar($0) }
  }()

  /// One scalar of each kind, as an attacker would combine them.
  static let short =
    "\u{301}x\u{1B}[2J\u{9B}31m\u{7}\r\n\u{85}\u{2028}\u{202E}\u{2066}\u{FEFF}\u{E0041}"

  /// All unsafe scalars.
  static let long = "a" + String(String.UnicodeScalarView(scalars)) + "z"

  /// A text as the content of a JSON string, with escapes for all characters.
  static func json(_ text: String) -> String {
    text.utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// The lines of a program's output that have unsafe characters.
  static func harm(in output: String) -> [String] {
    var harmful = Set(scalars)
    harmful.insert("\0")
    harmful.remove("\n")
    let lines = output.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.compactMap { line in
      let found = line.filter(harmful.contains)
      let startsWithMark = line.first?.properties.generalCategory == .nonspacingMark
      return found.isEmpty && !startsWithMark ? nil : String(line).debugDescription
    }
  }
}

/// A temporary folder for running programs.
struct HostileScene {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a program, and expects that its output has no unsafe characters.
  @discardableResult
  func run(
    _ program: String, _ arguments: [String], input: String = "", status: Int32 = 0,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> Tool.Result {
    let result = try await Tool(program).run(arguments, in: folder, input: Data(input.utf8))
    #expect(result.status == status, "\(arguments): \(result.errors)", sourceLocation: location)
    #expect(HostileText.harm(in: result.output) == [], "\(arguments)", sourceLocation: location)
    #expect(HostileText.harm(in: result.errors) == [], "\(arguments)", sourceLocation: location)
    return result
  }
}
