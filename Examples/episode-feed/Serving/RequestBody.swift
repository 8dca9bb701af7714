import EpisodeFeed
import Foundation

/// The body of a request: read up to a limit, or discarded.
struct RequestBody {
  /// The bytes of the connection after those that were read.
  private(set) var bytes: ConnectionBytes
  private let length: Int?
  /// The bytes until the end of the body or of the current chunk.
  private var rest: Int
  private var isComplete: Bool
  private var hasFailed = false

  /// The number of bytes that are read and discarded, so that a client that is
  /// still sending receives the answer.
  private static let discardLimit = 64 << 20
  /// The size of the line before a chunk, and of those after the last one.
  private static let lineLimit = 1_024

  init(_ body: RequestHead.Body, _ bytes: ConnectionBytes) {
    self.bytes = bytes
    length = if case .length(let length) = body { length } else { nil }
    rest = length ?? 0
    isComplete = length == 0
  }

  /// Returns the body.
  ///
  /// - Throws: ``PageError`` if the body is too large or does not arrive in time.
  mutating func read(upTo limit: Int, within time: Duration) async throws -> Data {
    let tooLarge = PageError(
      .tooLarge,
      "the body is larger than " + (limit >= 1 << 20 ? "\(limit >> 20) MB" : "\(limit >> 10) kB"))
    if let length, length > limit { throw tooLarge }
    let end = ContinuousClock.now + time
    var data = Data()
    while let chunk = try await next() {
      data += chunk
      guard data.count <= limit else { throw tooLarge }
      guard ContinuousClock.now < end else {
        hasFailed = true
        throw PageError(.timeout, "the request did not arrive in time")
      }
    }
    return data
  }

  /// Reads the rest of the body.
  ///
  /// - Returns: Whether the connection can be used for another request.
  mutating func discard() async -> Bool {
    guard (length ?? 0) <= Self.discardLimit else { return false }
    let end = ContinuousClock.now + .seconds(10)
    var count = 0
    while count <= Self.discardLimit, ContinuousClock.now < end, let chunk = try? await next() {
      count += chunk.count
    }
    return isComplete && !hasFailed
  }

  private mutating func next() async throws -> ArraySlice<UInt8>? {
    guard !isComplete, !hasFailed else { return nil }
    do {
      if rest == 0, length == nil { try await readChunkSize() }
      guard !isComplete else { return nil }
      let chunk = try await bytes.bytes(upTo: rest)
      rest -= chunk.count
      if rest == 0 {
        isComplete = length != nil
        if length == nil { try await readEmptyLine() }
      }
      return chunk
    } catch {
      hasFailed = true
      throw error
    }
  }

  private mutating func readChunkSize() async throws {
    let line = try await bytes.line(upTo: Self.lineLimit)
    let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    guard digits.utf8.count <= 15, digits.allSatisfy(\.isHexDigit),
      let size = Int(digits, radix: 16)
    else { throw PageError(.invalidRequest, "the request is not valid HTTP") }
    rest = size
    guard size == 0 else { return }
    try await readEmptyLine()
    isComplete = true
  }

  // Fields after the last chunk are not supported.
  private mutating func readEmptyLine() async throws {
    guard try await bytes.line(upTo: 1).isEmpty else {
      throw PageError(.invalidRequest, "the request is not valid HTTP")
    }
  }
}
