import Foundation
import MohoChanges

extension ChangeSet {
  /// Decodes a change set from JSON text.
  init(json: String) throws {
    self = try JSONDecoder().decode(ChangeSet.self, from: Data(json.utf8))
  }

  /// The JSON text, with members in alphabetical order.
  var json: String {
    get throws { try jsonText(of: self) }
  }
}

/// Encodes a value as JSON text, with members in alphabetical order.
func jsonText(of value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
