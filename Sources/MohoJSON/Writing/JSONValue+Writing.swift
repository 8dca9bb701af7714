public import Foundation
import MohoMapping

extension JSONValue {
  /// The value's JSON text, in UTF-8, its members in their order unless they are
  /// sorted.
  ///
  /// - Throws: `MappingError` with the path of a number that is not finite, which
  ///   JSON has no text for, or of a value below 2,048 levels, which is not read.
  /// - Complexity: Linear in the size of the value.
  public func data(formatting: JSONFormatting = .compact) throws -> Data {
    var writer = ValueWriter(formatting: formatting, depth: 0)
    try writer.append(self)
    return Data(writer.text.bytes)
  }
}
