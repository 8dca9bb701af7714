public import Foundation

extension JSONError: LocalizedError {
  /// The error's description, untranslated, for `localizedDescription`.
  public var errorDescription: String? { description }
}

extension ArchiveError: LocalizedError {
  /// The error's description, untranslated, for `localizedDescription`.
  public var errorDescription: String? { description }
}
