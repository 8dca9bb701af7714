public import MohoMapping

/// The values of a row or of a group of rows, by name. A request for values
/// returns elements of this type.
///
/// Values have the types of their attributes: a date is a `.date`, a Boolean is
/// a `.bool`.
public struct ValueRow: Sendable, Hashable {
  /// The names of the values: key paths or formulas.
  public let names: [String]

  /// The values, in the order of the request.
  public let values: [FieldContent]

  package init(names: [String], values: [FieldContent]) {
    self.names = names
    self.values = values
  }

  /// Returns the value with a name, or nil if there is no such value.
  public subscript(name: String) -> FieldContent? {
    names.firstIndex(of: name).map { values[$0] }
  }
}

extension ValueRow: CustomStringConvertible {
  /// The names with their values.
  public var description: String {
    zip(names, values).map { "\($0): \($1)" }.joined(separator: ", ")
  }
}
