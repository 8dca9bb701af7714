import Foundation
import MohoMapping

/// Writes the JSON Schema of a mapping and of the models that it contains.
struct JSONSchemaWriter {
  private let root: ObjectSchema
  private var names: [ObjectSchema.ID: String] = [:]
  /// The models that are referred to, in the order of the first reference.
  private var referred: [(name: String, object: ObjectSchema)] = []

  init(root: ObjectSchema) { self.root = root }

  mutating func rootMembers() -> [JSONValue.Member] { members(of: root) }

  /// Returns the schemas of all nested models. Call it last.
  mutating func definitions() -> [JSONValue.Member] {
    var definitions: [JSONValue.Member] = []
    // Writing a model can refer to more models. A loop, because models can be
    // nested to any depth.
    while definitions.count < referred.count {
      let (name, object) = referred[definitions.count]
      definitions.append(JSONValue.Member(name, .object(members(of: object))))
    }
    return definitions
  }

  private mutating func reference(to object: ObjectSchema) -> JSONValue {
    if object.id == root.id { return ["$ref": "#"] }
    let name = names[object.id] ?? definedName(for: object)
    let pointer = FieldPath([.key("$defs"), .key(name)]).pointer
    let allowed = CharacterSet(charactersIn: "/$~-._").union(.alphanumerics)
    let escaped = pointer.addingPercentEncoding(withAllowedCharacters: allowed) ?? pointer
    return ["$ref": .string("#\(escaped)")]
  }

  private mutating func definedName(for object: ObjectSchema) -> String {
    let used = Set(names.values)
    var (name, number) = (object.name, 2)
    while used.contains(name) { (name, number) = ("\(object.name) \(number)", number + 1) }
    names[object.id] = name
    referred.append((name, object))
    return name
  }
}

/// Objects.
extension JSONSchemaWriter {
  private mutating func members(of object: ObjectSchema) -> [JSONValue.Member] {
    if let cluster = object.cluster { return members(of: cluster, isOpen: false) }
    var content = ObjectContent()
    add(object.keys, to: &content)
    return content.members(isOpen: false)
  }

  private mutating func members(
    of cluster: ObjectSchema.Cluster, isOpen: Bool
  ) -> [JSONValue.Member] {
    let isTagged = cluster.discriminator != nil
    let tags: [JSONValue] = cluster.variants.compactMap { variant in
      if case .value(let tag) = variant.tag { .string(tag) } else { nil }
    }
    let variants = cluster.variants.map { variant -> JSONValue in
      var content = ObjectContent()
      if let discriminator = cluster.discriminator {
        let tag: JSONValue
        switch variant.tag {
        case .value(let value): tag = ["const": .string(value)]
        case .unknown, .condition:
          tag = ["type": "string", "not": ["enum": .array(tags)]]
        }
        content.add(
          tag, at: [discriminator] + cluster.alternatives, isRequired: true, acceptsNull: false)
      }
      if let object = variant.content?() {
        if let inner = object.cluster {
          content.conditions.append(.object(members(of: inner, isOpen: true)))
        } else {
          add(object.keys, to: &content)
        }
      }
      return .object(content.members(isOpen: isOpen))
    }
    return [JSONValue.Member(isTagged ? "oneOf" : "anyOf", .array(variants))]
  }

  private mutating func add(_ keys: [ObjectSchema.Key], to content: inout ObjectContent) {
    for key in keys where !key.key.isTransient {
      if key.key.receivesUnknownMembers {
        content.unknownMembers = schema(key.schema.member)
      } else if let inlined = key.inlined {
        add(inlined(), inlinedAt: key, to: &content)
      } else if let source = key.key.source {
        add(key, at: source, to: &content)
      }
    }
  }

  private mutating func add(
    _ key: ObjectSchema.Key, at source: FieldPath, to content: inout ObjectContent
  ) {
    let (declared, isNullDefault) = (key.key, key.key.traits.contains(.nullIsAbsent))
    let acceptsNull =
      isNullDefault
      ? declared.isOptional || declared.hasDefault
      : declared.isOptional || key.schema.acceptsNull
    let isRequired = !declared.isOptional && !declared.hasDefault
    var value = schema(key.schema)
    if acceptsNull { value = value.orNull }
    if let defaultValue = key.defaultValue.flatMap({ JSONValue(scalar: $0) }),
      case .object = value, !key.schema.isDate
    {
      value["default"] = defaultValue
    }
    add(
      value, of: key, at: source, isRequired: isRequired, acceptsNull: acceptsNull, to: &content)
  }

  /// Adds the value of a key, or the values that it collects.
  private mutating func add(
    _ value: JSONValue, of key: ObjectSchema.Key, at source: FieldPath, isRequired: Bool,
    acceptsNull: Bool, to content: inout ObjectContent
  ) {
    let paths = [source] + key.key.alternatives
    guard paths.count == 1, source.elementPath != nil else {
      return content.add(value, at: paths, isRequired: isRequired, acceptsNull: acceptsNull)
    }
    // Inside elements, whether a value is required depends on the element.
    var collected = CollectedPath(source, key.schema)
    let element = schema(collected.value)
    collected.isRequired = isRequired
    collected.acceptsNull = acceptsNull
    content.add(element, at: collected)
  }

  private mutating func add(
    _ object: ObjectSchema, inlinedAt key: ObjectSchema.Key, to content: inout ObjectContent
  ) {
    let isRequired = !key.key.isOptional && !key.key.hasDefault
    if isRequired, object.cluster == nil { return add(object.keys, to: &content) }
    let paths = object.possiblePaths
    for path in paths { content.know(path) }
    let whole: JSONValue
    if let cluster = object.cluster {
      whole = .object(members(of: cluster, isOpen: true))
    } else {
      var inner = ObjectContent()
      add(object.keys, to: &inner)
      whole = .object(inner.members(isOpen: true))
    }
    guard !isRequired else { return content.conditions.append(whole) }
    let sources = object.cluster == nil ? object.keys.flatMap(\.possiblePaths).map { $0[0] } : []
    var choices = [whole, ObjectContent.absence(of: paths, unblocked: sources)]
    if key.key.isOptional {
      choices.append(["allOf": .array(object.keys.flatMap { $0.possiblePaths }.map(Presence.null))])
    }
    content.conditions.append(["anyOf": .array(choices)])
  }
}

/// Values.
extension JSONSchemaWriter {
  mutating func schema(_ schema: FieldSchema) -> JSONValue {
    switch schema.form {
    case .any(let comment): return comment.map { ["$comment": .string($0)] } ?? [:]
    case .boolean: return ["type": "boolean"]
    case .integer(let range):
      guard let range else { return ["type": "integer"] }
      return [
        "type": "integer", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .unsignedInteger: return ["type": "integer", "minimum": 0]
    case .number: return ["type": "number"]
    case .string(let format, let pattern):
      var value: JSONValue = ["type": "string"]
      if let format { value["format"] = .string(format) }
      if let pattern { value["pattern"] = .string(pattern) }
      return value
    case .data: return ["type": "string", "contentEncoding": "base64"]
    case .date(let format): return JSONValue(schemaOf: format)
    case .constants(let contents):
      let values = contents.compactMap { JSONValue(scalar: $0) }
      // Only scalars are written alike in all formats.
      return values.count == contents.count ? ["enum": .array(values)] : [:]
    case .array(let element): return ["type": "array", "items": self.schema(element)]
    case .dictionary(let value):
      return ["type": "object", "additionalProperties": self.schema(value)]
    case .object(let object): return reference(to: object())
    case .reference(let object):
      let identity = object().identity
      guard let first = identity.first else { return [:] }
      var content = ObjectContent()
      for key in identity {
        guard let source = key.key.source else { continue }
        add(
          identifier(key), of: key, at: source, isRequired: !key.identifiesByDefault,
          acceptsNull: key.nullIdentifies, to: &content)
      }
      var bare = identifier(first)
      if identity.count > 1 {
        let parts = identity.map { identifier($0) }
        bare = ["type": "array", "prefixItems": .array(parts), "items": false]
        bare["minItems"] = .integer(Int64(parts.count))
      }
      return ["anyOf": [bare, .object(content.members(isOpen: true))]]
    case .optional(let wrapped): return self.schema(wrapped).orNull
    case .anyOf(let schemas): return ["anyOf": .array(schemas.map { self.schema($0) })]
    }
  }
}

/// Identifying keys of references.
extension JSONSchemaWriter {
  /// The schema of an identifying key, whose value is not null.
  private mutating func identifier(_ key: ObjectSchema.Key) -> JSONValue {
    let schema = schema(key.schema.wrapped)
    return key.nullIdentifies ? schema.orNull : schema
  }
}

extension ObjectSchema.Key {
  /// Whether the key has a default that identifies a model if the key is absent.
  fileprivate var identifiesByDefault: Bool {
    guard key.hasDefault, let defaultValue else { return false }
    return defaultValue != .null
  }

  /// Whether null is read as a default that identifies a model.
  fileprivate var nullIdentifies: Bool {
    identifiesByDefault && key.traits.contains(.nullIsAbsent)
  }
}

extension FieldSchema {
  /// The schema of the value if it is not null.
  fileprivate var wrapped: FieldSchema {
    if case .optional(let wrapped) = form { wrapped.wrapped } else { self }
  }

  fileprivate var isDate: Bool {
    switch form {
    case .date, .data: true
    case .optional(let wrapped): wrapped.isDate
    default: false
    }
  }
}

extension ObjectSchema {
  /// All paths of the keys, including alternatives and inlined models.
  fileprivate var possiblePaths: [FieldPath] {
    guard let cluster else { return keys.flatMap(\.possiblePaths).flatMap { $0 } }
    return [cluster.discriminator].compactMap { $0 } + cluster.alternatives
      + cluster.variants.flatMap { $0.content?().possiblePaths ?? [] }
  }
}

extension ObjectSchema.Key {
  /// The paths of each key: of this one, or of an inlined model.
  fileprivate var possiblePaths: [[FieldPath]] {
    if let inlined {
      let object = inlined()
      return object.cluster == nil
        ? object.keys.flatMap(\.possiblePaths) : object.possiblePaths.map { [$0] }
    }
    return key.source.map { [[$0] + key.alternatives] } ?? []
  }
}

extension JSONValue {
  /// A scalar in its written form, or nil.
  fileprivate init?(scalar content: FieldContent) {
    switch content {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .int64(let value): self = .integer(value)
    case .uint64(let value):
      guard let number = JSONNumber("\(value)") else { return nil }
      self = Int64(exactly: value).map { .integer($0) } ?? .exact(number)
    case .double(let value):
      guard value.isFinite else { return nil }
      self = .number(value)
    case .decimal(let value):
      guard let number = JSONNumber("\(value)") else { return nil }
      self = .exact(number)
    case .string(let value): self = .string(value)
    case .data, .date, .object, .array, .dictionary: return nil
    }
  }

  fileprivate init(schemaOf format: DateFormat) {
    switch format {
    case .iso8601: self = ["type": "string", "format": "date-time"]
    case .iso8601Date: self = ["type": "string", "format": "date"]
    case .epochSeconds, .epochMilliseconds:
      self = ["type": "number", "$comment": .string(format.expectation)]
    case .pattern: self = ["type": "string", "$comment": .string(format.expectation)]
    case .oneOf(let formats):
      self = ["anyOf": .array(formats.map { JSONValue(schemaOf: $0) })]
    }
  }

  /// The schema that accepts null as well.
  var orNull: JSONValue {
    if case .string(let type)? = self["type"], type != "null", self["enum"] == nil {
      var schema = self
      schema["type"] = [.string(type), "null"]
      return schema
    }
    if case .array(let types)? = self["type"] { return types.contains("null") ? self : anyOrNull }
    if case .array(let values)? = self["enum"], self["type"] == nil {
      var schema = self
      schema["enum"] = values.contains(.null) ? .array(values) : .array(Array(values) + [.null])
      return schema
    }
    guard case .object(let members) = self, members.contains(where: { $0.key != "$comment" })
    else { return self }
    return isOrNull ? self : anyOrNull
  }

  /// Whether the schema is one of several, of which one accepts null.
  private var isOrNull: Bool {
    guard case .array(let schemas)? = self["anyOf"] else { return false }
    return schemas.contains { schema in
      switch schema["type"] {
      case .string("null")?: true
      case .array(let types)?: types.contains("null")
      default: schema.isOrNull
      }
    }
  }

  private var anyOrNull: JSONValue { ["anyOf": [self, ["type": "null"]]] }
}
