public import MohoMapping

/// Some values of a row, or of a group of rows, by their names: what a request
/// for values has fetched.
///
/// Values are those that the store holds, with the types of their attributes:
/// dates are dates, truth values truth values.
public struct RequestRow: Sendable, Hashable {
  /// The names of the values: paths of keys, or formulas.
  public let names: [String]

  /// The values, in the order in which they were asked for.
  public let values: [FieldContent]

  /// The value of a name, or nil where there is none of the name.
  public subscript(name: String) -> FieldContent? {
    names.firstIndex(of: name).map { values[$0] }
  }
}

extension RequestRow: CustomStringConvertible {
  /// The names with their values.
  public var description: String {
    zip(names, values).map { "\($0): \($1)" }.joined(separator: ", ")
  }
}
