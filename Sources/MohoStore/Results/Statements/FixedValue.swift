import MohoMapping

/// A value that a condition asks of a column of each row of a result.
struct FixedValue: Sendable {
  /// The place of the column among those of the table.
  let column: Int
  let fingerprint: UInt64

  /// The values that all have to be there where a filter holds.
  ///
  /// Only those are among them that columns hold in one form: integers and texts
  /// that are compared by their bytes.
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
    case (.int16, .int64(let value)), (.int32, .int64(let value)), (.int64, .int64(let value)):
      MohoStore.fingerprint(of: value)
    case (.boolean, .bool(let value)): MohoStore.fingerprint(of: value ? 1 : 0)
    case (.string, .string(let value)): MohoStore.fingerprint(of: value)
    default: nil
    }
  }
}
