import MohoMapping

/// What an operand's values are, as far as comparing and calculating go.
enum ValueType: String, Hashable {
  case null, boolean, integer, double, decimal, date, string, data

  init(_ type: AttributeType) {
    self =
      switch type {
      case .int16, .int32, .int64: .integer
      case .decimal: .decimal
      case .double, .float: .double
      case .string, .uuid, .url, .transformable: .string
      case .boolean: .boolean
      case .date: .date
      case .data: .data
      }
  }

  /// The type of a constant; nil of what no column holds.
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

  var isNumber: Bool { self == .integer || self == .double || self == .decimal }
}

/// How two operands are compared.
enum ComparedType {
  /// As SQLite compares them.
  case plain
  /// As decimals, of which one may be an integer.
  case decimal
  /// A decimal and a number in double precision, as doubles.
  case double

  /// Nil where values of two types do not compare.
  init?(_ one: ValueType, _ other: ValueType) {
    switch (one, other) {
    case (.decimal, .decimal), (.decimal, .integer), (.integer, .decimal): self = .decimal
    case (.decimal, .double), (.double, .decimal): self = .double
    case (.integer, .double), (.double, .integer), (.null, _), (_, .null): self = .plain
    default:
      guard one == other else { return nil }
      self = .plain
    }
  }
}

extension Arithmetic {
  /// The type of a result, or nil where values of two types have none.
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
      return left == .decimal || right == .decimal ? .decimal : .integer
    }
  }
}
