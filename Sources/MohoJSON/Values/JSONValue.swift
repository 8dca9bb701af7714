/// Any JSON value.
///
/// What is written of a value reads back equal: see ``==(_:_:)`` for numbers. A
/// value may have any number of levels; it is written up to the 2,048 that are
/// read.
public enum JSONValue: Sendable {
  /// `null`
  case null
  /// `true` or `false`
  case bool(Bool)
  /// A number of 64 bits with sign that is written without fraction and
  /// exponent.
  case integer(Int64)
  /// Any other number that a double holds: one whose shortest text is the same
  /// number. It is written with a fraction or an exponent.
  case number(Double)
  /// A number that neither an integer nor a double holds, such as
  /// 18446744073709551615. It is written digit for digit.
  case exact(JSONNumber)
  /// Text.
  case string(String)
  /// Values in order.
  case array(Elements)
  /// Values under keys, in the order of the document. A parsed object has no
  /// two members of one key.
  case object(Members)

  /// A value of an object and its key.
  public struct Member: Hashable, Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
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
    /// A number of 64 bits with sign that is written without fraction and
    /// exponent.
    case integer
    /// Any other number.
    case number
    /// Text.
    case string
    /// Values in order.
    case array
    /// Values under keys.
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

  /// The value under a key of an object; nil where there is none or the value
  /// is no object.
  ///
  /// Assigning to it replaces the value or adds a member at the end; nil removes
  /// the member. A value that is no object becomes one to hold a member.
  ///
  /// - Complexity: Linear in the number of members.
  public subscript(key: String) -> JSONValue? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.key == key }?.value
    }
    set { set(newValue, for: key) }
  }

  /// The element of an array; nil past its end or where the value is no array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}

extension JSONValue {
  private mutating func set(_ value: JSONValue?, for key: String) {
    var members = Members()
    if case .object(let current) = self { members = current } else if value == nil { return }
    // The only reference, so that the members are changed in place.
    self = .null
    let index = members.firstIndex { $0.key == key }
    switch (value, index) {
    case (let value?, let index?): members[index].value = value
    case (let value?, nil): members.append(Member(key, value))
    case (nil, let index?): members.remove(at: index)
    case (nil, nil): break
    }
    self = .object(members)
  }
}
