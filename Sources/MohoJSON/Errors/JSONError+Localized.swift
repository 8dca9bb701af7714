public import Foundation

extension JSONError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}

extension ArchiveError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}
