import MohoMapping
import MohoRows

extension PostgresDialect {
  func nested(_ key: NestedKey, in column: String) throws -> String {
    try Self.nested(key, in: column)
  }

  /// Returns the SQL of a value inside the JSON of a column, in the form of a column of
  /// its type. Dates are seconds since 2001 in double precision, because a `timestamptz`
  /// has fewer digits.
  static func nested(_ key: NestedKey, in column: String) throws -> String {
    let value = json(key, from: 0, in: column)
    return switch key.path.form {
    case .boolean: "\(PostgresFunctions.nestedBoolean)(\(value))"
    case .integer: "\(PostgresFunctions.nestedInteger)(\(value))"
    case .unsigned: "\(PostgresFunctions.nestedUnsigned)(\(value))"
    case .decimal: "\(PostgresFunctions.nestedDecimal)(\(value))"
    case .double: "\(PostgresFunctions.nestedDouble)(\(value))"
    case .string: "(\(PostgresFunctions.nestedText)(\(value)) COLLATE \"C\")"
    case .uuid: "(\(PostgresFunctions.nestedUUID)(\(value)) COLLATE \"C\")"
    case .data: "\(PostgresFunctions.nestedData)(\(value))"
    case .date(let format): try date(value, format, key)
    case .structured: "(CASE WHEN \(value) <> 'null'::jsonb THEN true END)"
    }
  }

  /// Returns the SQL of the value that the rest of a path leads to, as JSON.
  private static func json(_ key: NestedKey, from first: Int, in object: String) -> String {
    guard first < key.path.steps.count else { return object }
    let absence: String
    let value: String
    switch key.path.steps[first] {
    case .member(let member):
      value = Self.value(of: member, in: object)
      absence = isAbsent(member, value)
    case .inlined(let members):
      value = object
      absence =
        members.isEmpty
        ? "true"
        : members.map { isAbsent($0, Self.value(of: $0, in: object)) }.joined(separator: " AND ")
    }
    let rest = json(key, from: first + 1, in: value)
    let defaultValue = key.defaults[first].map { "\(quotedText($0))::jsonb" }
    if case .member = key.path.steps[first], defaultValue == nil { return rest }
    return "(CASE WHEN jsonb_typeof(\(object)) = 'object' AND \(absence)"
      + " THEN \(defaultValue ?? "NULL") ELSE \(rest) END)"
  }

  private static func isAbsent(_ member: NestedPath.Member, _ value: String) -> String {
    let isMissing = "\(value) IS NULL"
    return member.nullIsAbsent ? "(\(isMissing) OR \(value) = 'null'::jsonb)" : isMissing
  }

  /// Returns the SQL of the value at the first path that exists.
  private static func value(of member: NestedPath.Member, in object: String) -> String {
    let values = member.paths.map { path in
      "(\(object) #> \(quotedText(arrayText(path))))"
    }
    return values.count == 1 ? values[0] : "coalesce(\(values.joined(separator: ", ")))"
  }

  /// The path as an array of texts.
  private static func arrayText(_ path: FieldPath) -> String {
    let elements = path.components.map { component in
      switch component {
      case .key(let name): name
      case .index(let index): "\(index)"
      case .each: "*"
      }
    }
    let quoted = elements.map { element in
      "\"\(element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
    return "{\(quoted.joined(separator: ","))}"
  }

  private static func date(
    _ value: String, _ format: DateFormat, _ key: NestedKey
  ) throws -> String {
    switch format {
    case .iso8601: return "\(PostgresFunctions.nestedDate)(\(value))"
    case .iso8601Date: return "\(PostgresFunctions.nestedDay)(\(value))"
    // As `Date` converts them.
    case .epochSeconds: return "(\(PostgresFunctions.nestedDouble)(\(value)) - 978307200)"
    case .epochMilliseconds:
      return "(\(PostgresFunctions.nestedDouble)(\(value)) / 1000 - 978307200)"
    case .oneOf(let formats):
      let dates = try formats.map { try date(value, $0, key) }
      return "coalesce(\(dates.joined(separator: ", ")))"
    case .pattern(let pattern):
      throw StoreError(
        .invalidRequest,
        reason: "PostgreSQL cannot read the date `\(key.names.joined(separator: "."))` with the"
          + " pattern `\(pattern.pattern)`",
        suggestion: "store the date in a key of its own, or in another format")
    }
  }
}
