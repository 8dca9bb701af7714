import Foundation

/// An article or another page of documentation, and the Swift source that holds
/// its code.
///
/// Code in the source between the lines `// snippet` and `// end` stands in the
/// article as a block of Swift, without the indentation of the marks. A Swift
/// block below a line that says `In Core Data:` or the like is code of others,
/// which nobody compiles here.
public struct Article: Sendable {
  private let path: String
  private let source: String

  /// Names an article.
  ///
  /// - Parameters:
  ///   - path: Its path from the root of the package.
  ///   - source: The source that holds its code.
  public init(_ path: String, heldBy source: String = #filePath) {
    self.path = path
    self.source = source
  }

  /// Looks whether the article has the code of the source, and no other.
  ///
  /// - Throws: ``ArticleError`` with what the other does not have.
  public func expectCode() throws {
    let compiled = try snippets
    let shown = try blocks.filter { $0.language == "swift" && !$0.isOfOthers }.map(\.text)
    let differences =
      compiled.filter { !shown.contains($0) }.map { "not in the article:\n\($0)" }
      + shown.filter { !compiled.contains($0) }.map { "not in the source:\n\($0)" }
    guard differences.isEmpty else {
      throw ArticleError(description: differences.joined(separator: "\n"))
    }
  }

  /// Looks whether a block of the article is what was printed, and takes that
  /// from the transcript.
  ///
  /// - Throws: ``ArticleError`` with what was printed.
  public func expectOutput(of transcript: Transcript) throws {
    let output = transcript.take()
    guard try blocks.contains(where: { $0.language != "swift" && $0.text == output }) else {
      throw ArticleError(description: "not in the article:\n\(output)")
    }
  }

  /// The rows of the article's tables, as they are written.
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

/// In what an article and its code differ.
public struct ArticleError: Error, CustomStringConvertible {
  /// What one of them has and the other has not.
  public let description: String
}

/// A fenced block of an article.
private struct Block {
  let language: String
  let isOfOthers: Bool
  var text = ""

  init(_ language: String, below introduction: Substring) {
    self.language = language
    isOfOthers = introduction.hasPrefix("In ") && introduction.hasSuffix(":")
  }
}
