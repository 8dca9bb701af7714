import MohoMapping

/// A value that the filter of a result requires of a column of each row.
struct FixedValue: Sendable {
  /// The index of the column in the result's table.
  let column: Int
  let fingerprint: UInt64

  /// Returns the values that a filter requires.
  ///
  /// The list contains only values with a single stored form: integers up to
  /// `Int64.max`, Booleans, texts and UUIDs.
  static func all(in filter: ResolvedFilter, _ columnNames: [String]) -> [FixedValue] {
    filter.conjuncts.compactMap { condition in
      guard case .comparison(let operand, .equal, .constant(let value), as: .plain) = condition,
        case .value(_, let attribute) = operand, let name = operand.ownKey,
        let column = columnNames.firstIndex(of: name),
        let fingerprint = fingerprint(of: value, in: attribute.type)
      else { return nil }
      return FixedValue(column: column, fingerprint: fingerprint)
    }
  }

  private static func fingerprint(of value: FieldContent, in type: AttributeType) -> UInt64? {
    switch (type, value) {
    case (.int16, .int64(let value)), (.int32, .int64(let value)), (.int64, .int64(let value)),
      (.uint64, .int64(let value)):
      Fingerprint.of(value)
    case (.boolean, .bool(let value)): Fingerprint.of(value ? 1 : 0 as Int64)
    case (.string, .string(let value)) where value.utf8.count <= Fingerprint.longestText:
      Fingerprint.of(value)
    case (.uuid, .string(let value)): Fingerprint.of(value)
    default: nil
    }
  }
}
