import Foundation

/// The known mutants that no test can find, with the reasons.
///
/// In the file, each has a paragraph of lines: the path, the names of the types and the
/// function, the change, and the reason, which may continue on more lines. A number in
/// parentheses after the change counts equal changes in the function, from 1.
struct Equivalents {
  private(set) var reasons: [MutantIdentity: String] = [:]

  init(_ text: String) throws {
    for paragraph in text.components(separatedBy: "\n\n") {
      let lines = paragraph.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.hasPrefix("#") }
      if lines.isEmpty { continue }
      guard lines.count >= 4 else {
        throw Failure(
          "an equivalent mutant needs a file, a function, a change and a reason: \(lines)")
      }
      var change = lines[2]
      var occurrence = 0
      if let match = change.firstMatch(of: /^(.*) \((\d+)\)$/) {
        occurrence = (Int(match.2) ?? 1) - 1
        change = String(match.1)
      }
      let identity = MutantIdentity(
        file: lines[0], function: lines[1], change: change, occurrence: occurrence)
      reasons[identity] = lines[3...].joined(separator: " ")
    }
  }

  init(file: URL) throws { try self.init(String(contentsOf: file, encoding: .utf8)) }
}
