import CommandTesting
import EpisodeFeed
import Foundation
import Synchronization

/// A well-behaved server of documents, which can be replaced. It recognizes
/// unchanged documents by their entity tags.
final class FeedServer: Sendable {
  private let server: FaultyServer
  private let documents: SharedDocuments

  /// Starts a server of documents by their paths.
  init(_ documents: [String: Data] = [:]) throws {
    let shared = SharedDocuments()
    shared.documents.withLock { $0 = documents }
    self.documents = shared
    server = try FaultyServer { request in
      guard let document = shared.documents.withLock({ $0[request.path] }) else {
        return [.response(404, length: 0)]
      }
      // `Data` hashes only its first bytes.
      let tag = "\"\(Array(document).hashValue)\""
      if request.headers["if-none-match"] == tag { return [.response(304)] }
      return [.document(document, ["ETag": tag])]
    }
  }

  /// The document at a path.
  subscript(_ path: String) -> Data? {
    get { documents.documents.withLock { $0[path] } }
    set { documents.documents.withLock { $0[path] = newValue } }
  }

  func url(_ path: String) -> URL { server.url(path) }

  var requests: [FaultyServer.Request] { server.requests }
}

private final class SharedDocuments: Sendable {
  let documents = Mutex<[String: Data]>([:])
}

/// Compresses data with the `gzip` program.
func gzipped(_ data: Data, in folder: TemporaryFolder) async throws -> Data {
  let path = try folder.file("\(UUID().uuidString)", data)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["gzip", path]
  try await process.runToEnd()
  return try Data(contentsOf: URL(fileURLWithPath: path + ".gz"))
}
