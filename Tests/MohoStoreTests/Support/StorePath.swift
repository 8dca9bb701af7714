import Foundation

/// Calls a closure with the path of a store in a temporary folder, which is
/// deleted afterwards.
func withStorePath<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.appending(path: "store.sqlite").path)
}
