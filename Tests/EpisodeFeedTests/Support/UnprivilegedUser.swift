import CommandTesting
import Foundation

/// Runs the command as a user for whom read-only files are read-only. Root can
/// write to all files.
enum UnprivilegedUser {
  /// Whether the command can be run by such a user.
  static let isAvailable = geteuid() != 0 || canRun

  static func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> Tool.Result {
    try await Tool.episodeFeed.run(arguments, in: folder, prefix: prefix)
  }

  private static var prefix: [String] {
    geteuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
  }

  /// Whether root can run the command as user 65534: `setpriv` is installed,
  /// and the user can read the build folder.
  private static var canRun: Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    let process = Tool.episodeFeed.process(
      prefix + [Tool.episodeFeed.url.path, "--help"], in: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
