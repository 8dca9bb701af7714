import Foundation

/// A folder of a test's own, which is gone when the test is.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes a folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "moho-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of something in the folder.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file and returns its path.
  public func file(_ name: String, _ data: Data) throws -> String {
    try data.write(to: url.appending(path: name))
    return path(name)
  }
}
