import MohoJSON
import MohoMapping

extension JSONValue {
  /// The result of a merge patch, by the function `MergePatch` of RFC 7396.
  func merged(with patch: JSONValue) -> JSONValue {
    guard case .object(let members) = patch else { return patch }
    var result: JSONValue = [:]
    if case .object = self { result = self }
    for member in members {
      if member.value == .null {
        result[member.key] = nil
      } else {
        result[member.key] = (result[member.key] ?? .null).merged(with: member.value)
      }
    }
    return result
  }
}
