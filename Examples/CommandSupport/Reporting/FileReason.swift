import Foundation

/// Why a file cannot be read or written, in a few words. Foundation's messages
/// name the file once more, and not always the reason.
public enum FileReason {
  /// Why a file cannot be read.
  public static func reading(_ path: String, _ error: any Error) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return "there is no such file"
    }
    if isFolder.boolValue { return "it is a folder" }
    return FileManager.default.isReadableFile(atPath: path)
      ? error.localizedDescription : "permission denied"
  }

  /// Why a file cannot be written.
  public static func writing(_ path: String, _ error: any Error) -> String {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return "it is a folder"
    }
    guard FileManager.default.fileExists(atPath: folder) else { return "its folder does not exist" }
    return FileManager.default.isWritableFile(atPath: folder)
      ? error.localizedDescription : "permission denied"
  }
}
