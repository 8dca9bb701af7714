public import Foundation
import MohoMapping

extension JSONValue {
  /// Encodes the value as JSON text in UTF-8. Members keep their order unless they are
  /// sorted.
  ///
  /// - Throws: `MappingError` with the path of a number that is not finite, or of a
  ///   value nested more than 2,048 levels deep, which could not be decoded.
  /// - Complexity: Linear in the size of the value.
  public func data(formatting: JSONFormatting = .compact) throws -> Data {
    var writer = ValueWriter(formatting: formatting, depth: 0)
    try writer.append(self)
    return Data(writer.text.bytes)
  }
}
