import Foundation

/// An article, and the Swift source file with its code.
///
/// The code between the comments `// snippet` and `// end` in the source is a
/// Swift block in the article, without the indentation of the comments. A Swift
/// block after a line such as `In Core Data:` is an exception: it is code for
/// another library, which is not compiled. The block after a Swift block, if it has
/// no language, is the output of the code.
public struct Article: Sendable {
  private let path: String
  private let source: String

  /// Creates an article.
  ///
  /// - Parameters:
  ///   - path: The path of the article in the package, or an absolute path.
  ///   - source: The source file with its code.
  public init(_ path: String, source: String = #filePath) {
    self.path = path
    self.source = source
  }

  /// Checks that the article has all code of the source, and no other, and that the
  /// source checks each output.
  ///
  /// - Throws: ``ArticleError`` with the differences.
  public func expectCode() throws {
    let (snippets, blocks) = (try snippets, try blocks)
    let compiled = snippets.map(\.text)
    let shown = blocks.filter { $0.isSwift && !$0.isForeign }.map(\.text)
    let unchecked = zip(blocks, blocks.dropFirst()).filter { code, output in
      output.language.isEmpty
        && snippets.contains { $0.text == code.text && !$0.hasOutput && code.isSwift }
    }
    let differences =
      compiled.filter { !shown.contains($0) }.map { "not in the article:\n\($0)" }
      + shown.filter { !compiled.contains($0) }.map { "not in the source:\n\($0)" }
      + unchecked.map { "not checked by the source:\n\($0.1.text)" }
    guard differences.isEmpty else {
      throw ArticleError(description: differences.joined(separator: "\n"))
    }
  }

  /// Checks that the printed output is that of the last snippet above the call: the
  /// next block after it in the article. Clears the transcript.
  ///
  /// - Parameter line: The line of the call in the source.
  /// - Throws: ``ArticleError`` with the output.
  public func expectOutput(of transcript: Transcript, line: Int = #line) throws {
    let output = transcript.take()
    guard let code = try snippets.last(where: { $0.end < line })?.text else {
      throw ArticleError(description: "no snippet above line \(line) prints:\n\(output)")
    }
    let blocks = try blocks
    let shown = zip(blocks, blocks.dropFirst())
      .filter { $0.0.isSwift && $0.0.text == code }.map(\.1)
    try expect(output, in: shown, "the code:\n\(code)")
  }

  /// Checks that the printed output is the block after a line of the article's text.
  /// Clears the transcript.
  ///
  /// - Throws: ``ArticleError`` with the output.
  public func expectOutput(of transcript: Transcript, below text: String) throws {
    let output = transcript.take()
    try expect(output, in: blocks.filter { $0.introduction == text }, text)
  }

  private func expect(_ output: String, in blocks: [Block], _ place: String) throws {
    if blocks.contains(where: { !$0.isSwift && $0.text == output }) { return }
    let shown = blocks.map { "expected:\n\($0.isSwift ? "code" : $0.text)" }
    throw ArticleError(
      description: (["not in the article:\n\(output)"] + shown + ["after \(place)"])
        .joined(separator: "\n"))
  }

  /// The texts between backticks, outside of code blocks.
  public var codeVoices: [String] {
    get throws {
      var isBlock = false
      return try text.split(separator: "\n").flatMap { line -> [String] in
        if line.hasPrefix("```") { isBlock.toggle() }
        if isBlock { return [] }
        return line.matches(of: /`([^`]+)`/).map { String($0.output.1) }
      }
    }
  }

  /// The lines of the article's tables.
  public var tableRows: [String] {
    get throws { try text.split(separator: "\n").filter { $0.hasPrefix("|") }.map(String.init) }
  }

  private var text: String {
    get throws {
      let file = path.hasPrefix("/") ? URL(filePath: path) : Self.root.appending(path: path)
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  private var snippets: [Snippet] {
    get throws {
      var snippets: [Snippet] = []
      var lines: [Substring]?
      let code = try String(contentsOfFile: source, encoding: .utf8)
      for (index, line) in code.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let indentation = line.prefix { $0 == " " }.count
        switch line.dropFirst(indentation) {
        case "// snippet": lines = []
        case "// end":
          let ended = (lines ?? []).map { $0.dropFirst(indentation) }
          snippets.append(Snippet(text: ended.joined(separator: "\n"), end: index + 1))
          lines = nil
        case let call where lines == nil && call.contains("expectOutput(of: transcript)"):
          if !snippets.isEmpty { snippets[snippets.count - 1].hasOutput = true }
        default: lines?.append(line)
        }
      }
      return snippets
    }
  }

  private var blocks: [Block] {
    get throws {
      var blocks: [Block] = []
      var introduction: Substring = ""
      var lines: [Substring]?
      for line in try text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("```"), let ended = lines {
          blocks[blocks.count - 1].text = ended.joined(separator: "\n")
          introduction = ""
          lines = nil
        } else if line.hasPrefix("```") {
          blocks.append(Block(String(line.dropFirst(3)), below: introduction))
          lines = []
        } else if lines != nil {
          lines?.append(line)
        } else if !line.isEmpty {
          introduction = line
        }
      }
      return blocks
    }
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// The differences between an article and its code.
public struct ArticleError: Error, CustomStringConvertible {
  /// The code or output that the article or the source lacks.
  public let description: String
}

/// The code between the comments `// snippet` and `// end` in a source.
private struct Snippet {
  let text: String
  /// The line of the comment `// end`, from 1.
  let end: Int
  /// Whether the source checks the output of the code.
  var hasOutput = false
}

/// A fenced block of an article.
private struct Block {
  let language: String
  /// The line of text above the block, which is empty if the block follows another one.
  let introduction: Substring
  var text = ""

  init(_ language: String, below introduction: Substring) {
    self.language = language
    self.introduction = introduction
  }

  var isSwift: Bool { language == "swift" }

  /// Whether the block is code for another library.
  var isForeign: Bool { introduction.hasPrefix("In ") && introduction.hasSuffix(":") }
}
