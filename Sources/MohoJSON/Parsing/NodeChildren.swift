import CJansson

/// Iterates over the children of an array or an object, in their order.
// SAFETY: As for ``JSONNode``. The pointer to a member stays valid while no
// member is added or removed.
struct NodeChildren {
  private let json: UnsafeMutablePointer<json_t>
  private var index = -1
  private var member: UnsafeMutableRawPointer?

  init(_ json: UnsafeMutablePointer<json_t>) { self.json = json }

  /// The next child; nil at the end, and where the value has no children.
  mutating func next() -> UnsafeMutablePointer<json_t>? {
    index += 1
    guard json.pointee.type == JSON_OBJECT else { return json_array_get(json, index) }
    member = index == 0 ? json_object_iter(json) : json_object_iter_next(json, member)
    return member.flatMap { json_object_iter_value($0) }
  }

  /// The key of the child; empty in an array.
  var key: String {
    guard let member, let key = json_object_iter_key(member) else { return "" }
    // SAFETY: Jansson stores as many bytes as it says.
    let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(member))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Replaces the child by another value, which the container then owns.
  func replace(by value: UnsafeMutablePointer<json_t>) {
    if json.pointee.type == JSON_OBJECT {
      json_object_iter_set_new(json, member, value)
    } else {
      json_array_set_new(json, index, value)
    }
  }
}
