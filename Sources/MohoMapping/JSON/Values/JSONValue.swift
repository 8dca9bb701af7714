/// Any JSON value.
///
/// An encoded value decodes to an equal value; see ``==(_:_:)`` for numbers. A value can
/// have any number of levels. The decoder and the encoder accept up to 2,048.
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number that fits in 64 bits with sign and has neither fraction nor exponent.
  case integer(Int64)
  /// Any other number that a double represents: its shortest text is the same number. It
  /// is encoded with a fraction or an exponent.
  case number(Double)
  /// A number that neither an integer nor a double represents, such as
  /// 18446744073709551615. It is encoded digit by digit.
  case exact(JSONNumber)
  /// A string.
  case string(String)
  /// Values in order.
  case array(Elements)
  /// Members in the order of the document. A decoded object has no duplicate keys.
  case object(Members)

  /// A key of an object with its value.
  public struct Member: Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The type of a JSON value.
  public enum Kind: String, Hashable, Sendable, CustomStringConvertible {
    /// `null`
    case null
    /// `true` or `false`
    case bool
    /// A number that fits in 64 bits with sign and has neither fraction nor exponent.
    case integer
    /// Any other number.
    case number
    /// A string.
    case string
    /// Values in order.
    case array
    /// Members.
    case object

    /// The name of the type, such as `string`.
    public var description: String { rawValue }
  }

  /// The type of the value.
  public var kind: Kind {
    switch self {
    case .null: .null
    case .bool: .bool
    case .integer: .integer
    case .number, .exact: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// The value of an object's member; nil if it does not exist, and for other values.
  ///
  /// Assigning replaces the value or appends a member. Nil removes the member. Assigning
  /// a member to a value that is not an object replaces that value by an object.
  ///
  /// - Complexity: Linear in the number of members.
  public subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.value(for: key)
    }
    set { set(newValue, for: key) }
  }

  /// The element of an array; nil past its end, and for other values.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue {
  private mutating func set(_ value: JSONValue?, for key: String) {
    var members = Members()
    if case .object(let current) = self { members = current } else if value == nil { return }
    // Releases the second reference, so that members are changed in place.
    self = .null
    members.set(value, for: key)
    self = .object(members)
  }
}

extension JSONValue.Members {
  // Names are compared by their bytes, as in documents.
  private func position(of name: String) -> Int? {
    firstIndex { $0.key.hasSameBytes(as: name) }
  }

  /// A name that several members have. Nil if the names are distinct, as they are in a text
  /// that was decoded.
  var duplicateName: String? {
    guard text == nil, count > 1 else { return nil }
    let members = array
    if members.count <= MemberTable.greatestSearch {
      return members.indices.first { position in
        members[..<position].contains { $0.key.hasSameBytes(as: members[position].key) }
      }.map { members[$0].key }
    }
    if isSortedByDistinctNames { return nil }
    var names: Set<MemberName> = []
    return members.first { !names.insert(MemberName($0.key)).inserted }?.key
  }

  private var isSortedByDistinctNames: Bool {
    let members = array
    return members.indices.dropFirst().allSatisfy { position in
      members[position - 1].key.precedesInBytes(members[position].key)
    }
  }

  /// Sorts the members by the bytes of their names.
  mutating func sortByName() {
    if !isSortedByDistinctNames { sort { $0.key.precedesInBytes($1.key) } }
  }

  /// The value of a member; nil if it does not exist.
  func value(for name: String) -> JSONValue? { position(of: name).map { self[$0].value } }

  /// Replaces the value of a member, appends a member, or removes it.
  mutating func set(_ value: JSONValue?, for name: String) {
    switch (value, position(of: name)) {
    case (let value?, let position?): self[position].value = value
    case (let value?, nil): append(JSONValue.Member(name, value))
    case (nil, let position?): remove(at: position)
    case (nil, nil): break
    }
  }
}
