import Foundation

/// A temporary folder, which is deleted with this object.
public final class TemporaryFolder: Sendable {
  /// The location of the folder.
  public let url: URL

  /// Creates a folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "moho-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  public func path(_ name: String) -> String { url.appending(path: name).path }

  /// Writes a file and returns its path.
  public func file(_ name: String, _ data: Data) throws -> String {
    try data.write(to: url.appending(path: name))
    return path(name)
  }
}
