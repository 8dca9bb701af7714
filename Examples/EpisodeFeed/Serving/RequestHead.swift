import Foundation

/// The head of an HTTP request.
public struct RequestHead: Hashable, Sendable {
  /// The method, such as `GET`.
  public let method: String
  /// The path as it was sent, with percent escapes.
  public let path: String
  /// The query as it was sent.
  public let query: String
  /// The headers by their names in lowercase. Values of equal names are joined
  /// with commas.
  public let headers: [String: String]
  /// Whether the version is at least 1.1.
  public let allowsChunks: Bool

  /// The form of the body.
  public enum Body: Hashable, Sendable {
    /// A body with a length in bytes; 0 without a body.
    case length(Int)
    /// A body in chunks.
    case chunked
  }

  /// The form of the body.
  public let body: Body

  /// Whether the client sends another request on the connection.
  public var isPersistent: Bool {
    let tokens = Set(
      (headers["connection"] ?? "").lowercased().split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      })
    return allowsChunks ? !tokens.contains("close") : tokens.contains("keep-alive")
  }

  /// Reads the lines of a head.
  ///
  /// - Throws: ``PageError`` of code ``PageError/Code/invalidRequest``. The end of
  ///   the request is not known then.
  init(_ lines: [String]) throws {
    let parts = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { throw Self.invalid }
    method = String(parts[0])
    let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(target[0])
    query = target.count > 1 ? String(target[1]) : ""
    allowsChunks = parts[2] != "HTTP/1.0"
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        throw Self.invalid
      }
      let name = line[..<colon].lowercased()
      guard !name.contains(where: \.isWhitespace) else { throw Self.invalid }
      let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    self.headers = headers
    body = try Self.body(headers)
  }

  private static func body(_ headers: [String: String]) throws -> Body {
    switch (headers["content-length"], headers["transfer-encoding"]?.lowercased()) {
    case (nil, nil): return .length(0)
    case (nil, "chunked"): return .chunked
    case (let text?, nil):
      guard text.utf8.count <= 18, text.allSatisfy("0123456789".contains), let length = Int(text)
      else { throw invalid }
      return .length(length)
    // A proxy could take another length than this server.
    default: throw invalid
    }
  }

  private static var invalid: PageError {
    PageError(.invalidRequest, "the request is not valid HTTP")
  }
}

/// Reads the head of a request while it arrives, up to a limit.
///
/// - Complexity: Each byte is read once.
public struct RequestHeadReader {
  private let limit: Int
  private var lines: [String] = []
  private var line: [UInt8] = []
  private var count = 0

  /// Creates a reader for one head.
  public init(limit: Int = PageSafety.headLimit) { self.limit = limit }

  /// Whether no byte has arrived.
  public var isEmpty: Bool { count == 0 }

  /// Reads bytes until the end of the head, and removes them.
  ///
  /// - Returns: The head; nil if it is not complete.
  /// - Throws: ``PageError`` if the head is too large or not valid.
  public mutating func read(_ bytes: inout ArraySlice<UInt8>) throws -> RequestHead? {
    while let byte = bytes.popFirst() {
      count += 1
      guard count <= limit else {
        throw PageError(.headTooLarge, "the head of the request is larger than \(limit >> 10) kB")
      }
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if line.isEmpty { return try RequestHead(lines) }
      lines.append(String(decoding: line, as: UTF8.self))
      line.removeAll(keepingCapacity: true)
    }
    return nil
  }
}
