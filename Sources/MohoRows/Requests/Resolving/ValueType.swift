import MohoMapping

/// The type of an operand, for comparisons and calculations.
package enum ValueType: String, Hashable {
  case null, boolean, integer, unsigned, double, decimal, date, string, data

  package init(_ type: AttributeType) {
    self =
      switch type {
      case .int16, .int32, .int64: .integer
      case .uint64: .unsigned
      case .decimal: .decimal
      case .double, .float: .double
      case .string, .uuid, .url, .structured: .string
      case .boolean: .boolean
      case .date: .date
      case .data: .data
      }
  }

  /// The type of a value inside structured text.
  init(_ form: NestedPath.Form) {
    self =
      switch form {
      case .boolean, .structured: .boolean
      case .integer: .integer
      // Columns of SQLite have no unsigned integers.
      case .unsigned, .decimal: .decimal
      case .double: .double
      case .string, .uuid: .string
      case .data: .data
      case .date: .date
      }
  }

  /// The type of a constant, or nil if no column can store the constant.
  init?(_ content: FieldContent) {
    switch content {
    case .null: self = .null
    case .bool: self = .boolean
    case .int64, .uint64: self = .integer
    case .double: self = .double
    case .decimal: self = .decimal
    case .string: self = .string
    case .data: self = .data
    case .date: self = .date
    case .object, .array, .dictionary: return nil
    }
  }

  var isNumber: Bool { isInteger || self == .double || self == .decimal }

  package var isInteger: Bool { self == .integer || self == .unsigned }
}

/// The way to compare two operands.
package enum ComparedType {
  /// The comparison of SQLite.
  case plain
  /// A comparison of decimals, or of a decimal and an integer.
  case decimal
  /// A comparison of a decimal and a floating-point number, as doubles.
  case double

  /// Returns nil if values of the two types cannot be compared.
  package init?(_ one: ValueType, _ other: ValueType) {
    switch (one, other) {
    case (.null, _), (_, .null): self = .plain
    case (.decimal, .decimal): self = .decimal
    case (.decimal, _) where other.isInteger, (_, .decimal) where one.isInteger: self = .decimal
    case (.decimal, .double), (.double, .decimal): self = .double
    case (.double, _) where other.isInteger, (_, .double) where one.isInteger: self = .plain
    case (.integer, .unsigned), (.unsigned, .integer): self = .plain
    default:
      guard one == other else { return nil }
      self = .plain
    }
  }
}

extension Arithmetic {
  /// The type of the result, or nil if the operation is not defined for the
  /// types.
  func type(_ left: ValueType, _ right: ValueType) -> ValueType? {
    switch (left, right) {
    case (.null, .null): return .null
    case (.null, let other), (let other, .null):
      return other.isNumber || other == .date ? .null : nil
    case (.date, .date): return self == .subtract ? .double : nil
    case (.date, _) where right.isNumber: return self == .add || self == .subtract ? .date : nil
    case (_, .date) where left.isNumber: return self == .add ? .date : nil
    default:
      guard left.isNumber, right.isNumber else { return nil }
      if left == .double || right == .double { return .double }
      if left == .decimal || right == .decimal { return .decimal }
      return left == .unsigned || right == .unsigned ? .unsigned : .integer
    }
  }
}
