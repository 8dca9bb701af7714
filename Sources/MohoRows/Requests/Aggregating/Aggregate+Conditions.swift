public import MohoMapping

// Conditions of `GroupRequest.having(_:)`.
extension Aggregate {
  /// The value of a group as a key. No key of an attribute has this name.
  var groupKey: KeyName { KeyName([groupName]) }

  /// The name of the value among the values of a group.
  var groupName: String { value == nil ? "\(name)()" : name }

  private func comparison(_ comparison: Filter.Comparison, _ value: some FieldValue) -> Filter {
    .comparison(.key(groupKey), comparison, .value(value))
  }

  /// A condition on groups whose aggregate equals a value.
  public static func == (aggregate: Self, value: some FieldValue) -> Filter {
    aggregate.comparison(.equal, value)
  }

  /// A condition on groups whose aggregate does not equal a value.
  public static func != (aggregate: Self, value: some FieldValue) -> Filter {
    aggregate.comparison(.notEqual, value)
  }

  /// A condition on groups whose aggregate equals a content. Nil equals nil.
  public static func == (aggregate: Self, content: FieldContent?) -> Filter {
    .comparison(.key(aggregate.groupKey), .equal, .constant(content ?? .null))
  }

  /// A condition on groups whose aggregate does not equal a content. Nil equals nil.
  public static func != (aggregate: Self, content: FieldContent?) -> Filter {
    .comparison(.key(aggregate.groupKey), .notEqual, .constant(content ?? .null))
  }

  /// A condition on groups whose aggregate is less than a value.
  public static func < (aggregate: Self, value: some FieldValue) -> Filter {
    aggregate.comparison(.less, value)
  }

  /// A condition on groups whose aggregate is less than or equal to a value.
  public static func <= (aggregate: Self, value: some FieldValue) -> Filter {
    aggregate.comparison(.lessOrEqual, value)
  }

  /// A condition on groups whose aggregate is greater than a value.
  public static func > (aggregate: Self, value: some FieldValue) -> Filter {
    aggregate.comparison(.greater, value)
  }

  /// A condition on groups whose aggregate is greater than or equal to a value.
  public static func >= (aggregate: Self, value: some FieldValue) -> Filter {
    aggregate.comparison(.greaterOrEqual, value)
  }
}
