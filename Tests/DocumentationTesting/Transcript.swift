import Synchronization

/// What the code of an article prints.
public final class Transcript: Sendable {
  private let lines = Mutex<[String]>([])

  /// Makes an empty transcript.
  public init() {}

  /// What was printed since this was asked last.
  public func take() -> String {
    lines.withLock { lines in
      defer { lines = [] }
      return lines.joined(separator: "\n")
    }
  }

  /// Adds a line.
  public func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Tests that run the code of an article, in which `print` goes to a transcript.
public protocol ArticleTests {
  /// The article.
  var article: Article { get }

  /// What its code prints.
  var transcript: Transcript { get }
}

extension ArticleTests {
  /// Prints to the transcript.
  public func print(_ items: Any...) {
    transcript.append(items.map { "\($0)" }.joined(separator: " "))
  }
}
