import MohoRows

/// The type of a column or a parameter.
enum PostgresType: Hashable, Sendable, CaseIterable {
  case bool, int2, int4, int8, uint64, float8, numeric, text, uuid, jsonb, bytea, timestamptz

  /// The type of the column of an attribute.
  init(_ type: AttributeType) {
    self =
      switch type {
      case .int16: .int2
      case .int32: .int4
      case .int64: .int8
      case .uint64: .uint64
      case .decimal: .numeric
      case .double, .float: .float8
      case .string, .url: .text
      case .boolean: .bool
      case .date: .timestamptz
      case .data: .bytea
      case .uuid: .uuid
      case .structured: .jsonb
      }
  }

  /// The type with an object identifier, or nil if it is another type.
  ///
  /// - Parameter modifier: The modifier of the type. It distinguishes unsigned integers
  ///   from decimals.
  init?(oid: UInt32, modifier: Int32 = -1) {
    guard let type = Self.allCases.first(where: { $0.oid == oid && $0 != .uint64 }) else {
      return nil
    }
    self = type == .numeric && modifier == Self.unsignedModifier ? .uint64 : type
  }

  /// The modifier of `numeric(20,0)`. See `numerictypmodin` in PostgreSQL.
  private static let unsignedModifier: Int32 = (20 << 16) + 4

  /// The name of the type in SQL.
  var name: String {
    switch self {
    case .bool: "bool"
    case .int2: "int2"
    case .int4: "int4"
    case .int8: "int8"
    case .uint64: "numeric(20,0)"
    case .float8: "float8"
    case .numeric: "numeric"
    case .text: "text"
    case .uuid: "uuid"
    case .jsonb: "jsonb"
    case .bytea: "bytea"
    case .timestamptz: "timestamptz"
    }
  }

  /// The object identifier of the type, which is the same on all servers.
  var oid: UInt32 {
    switch self {
    case .bool: 16
    case .int2: 21
    case .int4: 23
    case .int8: 20
    case .float8: 701
    case .numeric, .uint64: 1700
    case .text: 25
    case .uuid: 2950
    case .jsonb: 3802
    case .bytea: 17
    case .timestamptz: 1184
    }
  }

  /// The object identifier of the type of arrays with elements of this type.
  var arrayOID: UInt32 {
    switch self {
    case .bool: 1000
    case .int2: 1005
    case .int4: 1007
    case .int8: 1016
    case .float8: 1022
    case .numeric, .uint64: 1231
    case .text: 1009
    case .uuid: 2951
    case .jsonb: 3807
    case .bytea: 1001
    case .timestamptz: 1185
    }
  }
}
