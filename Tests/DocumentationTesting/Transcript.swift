import Synchronization

/// The output of an article's code.
public final class Transcript: Sendable {
  private let lines = Mutex<[String]>([])

  /// Creates an empty transcript.
  public init() {}

  /// Returns the output since the last call.
  public func take() -> String {
    lines.withLock { lines in
      defer { lines = [] }
      return lines.joined(separator: "\n")
    }
  }

  /// Adds a line.
  public func append(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Tests that run the code of an article and collect its output.
public protocol ArticleTests {
  /// The article.
  var article: Article { get }

  /// The output of the article's code.
  var transcript: Transcript { get }
}

extension ArticleTests {
  /// Prints to the transcript.
  public func print(_ items: Any...) {
    transcript.append(items.map { "\($0)" }.joined(separator: " "))
  }
}
