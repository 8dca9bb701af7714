/// Builds a value from the last of its parts to the first: an array or object follows its
/// parts, and the name of a member follows its value.
// Not recursive: a value may have any number of levels.
struct JSONValueBuilder {
  private var values: [JSONValue] = []

  /// The value, after its last part.
  var value: JSONValue { values.last ?? .null }

  /// Adds a scalar, or the name of a member as a string.
  mutating func append(_ value: JSONValue) { values.append(value) }

  /// Adds the array of the last values.
  mutating func appendArray(_ count: Int) {
    let elements = Array(values.suffix(count).reversed())
    values.removeLast(elements.count)
    values.append(.array(elements))
  }

  /// Replaces the last value.
  mutating func replaceLast(by value: JSONValue) { values[values.count - 1] = value }

  /// Adds the object of the last members.
  mutating func appendObject(_ count: Int) {
    var members: JSONValue.Members = []
    members.reserveCapacity(count)
    for _ in 0..<count {
      guard case .string(let key)? = values.popLast(), let value = values.popLast() else { break }
      members.append(JSONValue.Member(key, value))
    }
    values.append(.object(members))
  }
}
