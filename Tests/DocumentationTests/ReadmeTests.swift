import CommandTesting
import Foundation
import Testing

/// The code and the output at the beginning of the README.
@Suite struct ReadmeTests {
  private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The languages and the contents of the README's code blocks.
  private func blocks() throws -> [(language: String, text: String)] {
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    return readme.components(separatedBy: "```").enumerated().compactMap { index, part in
      guard index % 2 == 1, let lineEnd = part.firstIndex(of: "\n") else { return nil }
      return (String(part[..<lineEnd]), String(part[part.index(after: lineEnd)...]))
    }
  }

  @Test func theFirstScreenMatchesTheExample() throws {
    let code = try String(
      contentsOf: root.appending(path: "Examples/first-screen/main.swift"), encoding: .utf8)
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)

    let first = try #require(try blocks().first)
    #expect(first.language == "swift")
    #expect(first.text == code)
    #expect(lines.count <= 26)
  }

  @Test func theExamplePrintsTheOutputInTheReadme() async throws {
    let result = try await Tool("first-screen").run([], in: TemporaryFolder())

    #expect(result.status == 0)
    #expect(try result.output == blocks()[1].text)
  }
}
