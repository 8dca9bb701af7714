import Foundation

/// A response while it arrives: the lines of its head, then its body.
struct IncomingResponse {
  private let url: URL
  private let limits: FeedFetcher.Limits

  /// The status; 0 before the first line.
  private(set) var status = 0
  /// The headers by their names in lowercase. Values of equal names are joined
  /// with commas.
  private(set) var headers: [String: String] = [:]
  /// Whether the head is complete.
  private(set) var hasHead = false
  /// The decoded body.
  private(set) var body = Data()
  /// The size of all heads.
  private(set) var headerSize = 0

  init(from url: URL, _ limits: FeedFetcher.Limits) {
    self.url = url
    self.limits = limits
  }

  /// Whether the response is a success, whose body is a document.
  var isSuccess: Bool { (200...299).contains(status) }

  /// Adds a line of a head.
  ///
  /// Informational responses have heads of their own, and are ignored. So are
  /// headers after the body.
  ///
  /// - Throws: ``FetchError`` if the headers are larger than the limit, or if the
  ///   body has another coding than gzip.
  mutating func addHeaderLine(_ line: some Collection<UInt8>) throws {
    headerSize += line.count
    guard headerSize <= limits.headerBytes else {
      throw FetchError.headersTooLarge(url, limit: limits.headerBytes)
    }
    guard !hasHead else { return }
    let text = String(decoding: line, as: UTF8.self)
      .trimmingCharacters(in: .newlines)
    if text.isEmpty {
      hasHead = status >= 200
      if hasHead, isSuccess { try checkCodings() }
    } else if text.hasPrefix("HTTP/") {
      status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      headers = [:]
    } else if let colon = text.firstIndex(of: ":") {
      let name = text[..<colon].lowercased()
      let value = text[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
  }

  // libcurl decodes any coding that it knows, and several codings in sequence.
  // These could expand a response much more.
  private func checkCodings() throws {
    let known = [
      "content-encoding": ["", "gzip", "x-gzip", "identity"],
      "transfer-encoding": ["", "chunked", "identity"],
    ]
    for (name, values) in known {
      guard let value = headers[name], !values.contains(value.lowercased()) else { continue }
      throw FetchError.unsupportedCoding(url, value)
    }
  }

  /// Adds bytes of the decoded body.
  ///
  /// - Throws: ``FetchError`` if the body is larger than the limit.
  mutating func addBody(_ bytes: some Collection<UInt8>) throws {
    guard bytes.count <= limits.bytes - body.count else {
      body = Data()
      throw FetchError.tooLarge(url, limit: limits.bytes)
    }
    body.append(contentsOf: bytes)
  }
}
