import Foundation

/// Calls `body` with a new temporary folder, and removes the folder afterwards.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}

/// Calls `body` with a new temporary folder, and removes the folder afterwards.
func withTemporaryFolder(_ body: (URL) async throws -> Void) async throws {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  try await body(folder)
}

private func makeTemporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}
