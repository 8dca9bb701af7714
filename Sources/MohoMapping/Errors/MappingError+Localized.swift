public import Foundation

extension MappingError: LocalizedError {
  /// The error's description, for `localizedDescription`: it is not translated.
  public var errorDescription: String? { description }
}
