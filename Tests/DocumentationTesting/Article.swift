import Foundation

/// An article, and the Swift source file with its code.
///
/// The code between the comments `// snippet` and `// end` in the source is a
/// Swift block in the article, without the indentation of the comments. A Swift
/// block after a line such as `In Core Data:` is an exception: it is code for
/// another library, which is not compiled.
public struct Article: Sendable {
  private let path: String
  private let source: String

  /// Creates an article.
  ///
  /// - Parameters:
  ///   - path: The path of the article in the package.
  ///   - source: The source file with its code.
  public init(_ path: String, source: String = #filePath) {
    self.path = path
    self.source = source
  }

  /// Checks that the article has all code of the source, and no other.
  ///
  /// - Throws: ``ArticleError`` with the differences.
  public func expectCode() throws {
    let compiled = try snippets
    let shown = try blocks.filter { $0.language == "swift" && !$0.isForeign }.map(\.text)
    let differences =
      compiled.filter { !shown.contains($0) }.map { "not in the article:\n\($0)" }
      + shown.filter { !compiled.contains($0) }.map { "not in the source:\n\($0)" }
    guard differences.isEmpty else {
      throw ArticleError(description: differences.joined(separator: "\n"))
    }
  }

  /// Checks that a block of the article is the printed output, and clears the
  /// transcript.
  ///
  /// - Throws: ``ArticleError`` with the output.
  public func expectOutput(of transcript: Transcript) throws {
    let output = transcript.take()
    guard try blocks.contains(where: { $0.language != "swift" && $0.text == output }) else {
      throw ArticleError(description: "not in the article:\n\(output)")
    }
  }

  /// The lines of the article's tables.
  public var tableRows: [String] {
    get throws { try text.split(separator: "\n").filter { $0.hasPrefix("|") }.map(String.init) }
  }

  private var text: String {
    get throws {
      try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }
  }

  private var snippets: [String] {
    get throws {
      var snippets: [String] = []
      var lines: [Substring]?
      let code = try String(contentsOfFile: source, encoding: .utf8)
      for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
        let indentation = line.prefix { $0 == " " }.count
        switch line.dropFirst(indentation) {
        case "// snippet": lines = []
        case "// end":
          let ended = (lines ?? []).map { $0.dropFirst(indentation) }
          snippets.append(ended.joined(separator: "\n"))
          lines = nil
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

/// A fenced block of an article.
private struct Block {
  let language: String
  /// Whether the block is code for another library.
  let isForeign: Bool
  var text = ""

  init(_ language: String, below introduction: Substring) {
    self.language = language
    isForeign = introduction.hasPrefix("In ") && introduction.hasSuffix(":")
  }
}
