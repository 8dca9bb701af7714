import DocumentationTesting
import Foundation
import Testing

/// The comparison of articles with the output of their code.
@Suite struct ArticleOutputTests {
  private static let source = """
    // snippet
    print("a")
    // end
    try article.expectOutput(of: transcript)

    // snippet
    print("b")
    // end
    try article.expectOutput(of: transcript)
    """

  /// Writes an article and its source to a folder, and calls a closure with the
  /// article.
  private func withArticle(
    _ text: String, source: String = source, _ body: (Article) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (page, code) = (folder.appending(path: "a.md").path, folder.appending(path: "a.swift").path)
    try text.write(toFile: page, atomically: true, encoding: .utf8)
    try source.write(toFile: code, atomically: true, encoding: .utf8)
    try body(Article(page, source: code))
  }

  private func printed(_ line: String) -> Transcript {
    let transcript = Transcript()
    transcript.append(line)
    return transcript
  }

  /// Returns an article in which both snippets are followed by texts.
  private func article(_ first: String, _ second: String) -> String {
    [("a", first), ("b", second)].map { code, output in
      "```swift\nprint(\"\(code)\")\n```\n\nIt prints:\n\n```\n\(output)\n```\n"
    }.joined(separator: "\n")
  }

  @Test func theOutputOfASnippetIsTheNextBlock() throws {
    try withArticle(article("1", "2")) { article in
      try article.expectCode()
      try article.expectOutput(of: printed("1"), line: 4)
      try article.expectOutput(of: printed("2"), line: 9)
      try article.expectOutput(of: printed("1"), below: "It prints:")
    }
  }

  @Test func theOutputOfAnotherSnippetIsAnError() throws {
    try withArticle(article("2", "1")) { article in
      #expect(throws: ArticleError.self) {
        try article.expectOutput(of: printed("1"), line: 4)
      }
      #expect(throws: ArticleError.self) {
        try article.expectOutput(of: printed("2"), line: 9)
      }
    }
  }

  @Test func anOutputAfterOtherCodeIsAnError() throws {
    let text = """
      ```swift
      print("a")
      ```

      ```swift
      print("b")
      ```

      ```
      1
      ```
      """
    try withArticle(text) { article in
      #expect(throws: ArticleError.self) {
        try article.expectOutput(of: printed("1"), line: 4)
      }
      try article.expectOutput(of: printed("1"), line: 9)
    }
  }

  @Test func anOutputThatNoTestComparesIsAnError() throws {
    let source = Self.source.replacing(/\n\n/, with: "\n").replacing(
      "try article.expectOutput(of: transcript)\n", with: "", maxReplacements: 1)
    try withArticle(article("1", "2"), source: source) { article in
      let error = #expect(throws: ArticleError.self) { try article.expectCode() }
      #expect(error?.description == "not checked by the source:\n1")
    }
  }
}
