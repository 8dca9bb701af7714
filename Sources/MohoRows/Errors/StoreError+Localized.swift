public import Foundation

extension StoreError: LocalizedError {
  /// The description of the error, for `localizedDescription`. It is not
  /// localized.
  public var errorDescription: String? { description }
}

extension RowValidationError: LocalizedError {
  /// The description of the error, for `localizedDescription`. It is not
  /// localized.
  public var errorDescription: String? { description }
}

extension ConflictError: LocalizedError {
  /// The description of the error, for `localizedDescription`. It is not
  /// localized.
  public var errorDescription: String? { description }
}
