public import Foundation

extension StoreError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}

extension ValidationError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}

extension ConflictError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}
