public import Foundation

extension ResultsError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}
