import Foundation

extension Mapping {
  /// The form of each stored key that has a column, by name.
  package var valueForms: [String: ValueForm] {
    var forms: [String: ValueForm] = [:]
    for (index, key) in keys.enumerated() where key.isStored && key.relation == nil {
      forms[key.name] = fields[index].schema.form(of: key.type)
    }
    return forms
  }
}

extension FieldSchema {
  /// The form of the values of a column.
  fileprivate func form(of type: FieldType) -> ValueForm {
    switch type {
    case .null: .any
    case .boolean, .decimal, .uuid, .date, .data: .plain(type.rawValue)
    case .unsignedInteger: .plain("unsigned")
    case .integer, .double, .string: flatForm(of: type) ?? .custom(type)
    case .object, .array, .dictionary, .reference: structuredForm(inside: [])
    }
  }

  /// The form, if the column of a type can store it.
  private func flatForm(of type: FieldType) -> ValueForm? {
    switch form {
    case .optional(let schema): return schema.flatForm(of: type)
    case .anyOf(let schemas):
      let forms = schemas.compactMap { $0.flatForm(of: type) }
      return forms.count > 1 ? .anyOf(forms) : forms.first
    case .any:
      return storedName.map { .plain($0) } ?? .custom(type)
    case .integer where type == .integer, .number where type == .double,
      .string where type == .string, .constants where type != .double:
      return structuredForm(inside: [])
    default: return nil
    }
  }

  /// The form of the value in structured text.
  ///
  /// - Parameter models: The models that contain the value, from the outermost one.
  fileprivate func structuredForm(inside models: [ObjectSchema.ID]) -> ValueForm {
    if let storedName { return .plain(storedName) }
    return switch form {
    case .any(let comment): comment == nil ? .any : .plain("custom")
    case .boolean: .plain("boolean")
    case .integer(let range): range.map { .integer($0) } ?? .plain("integer")
    case .unsignedInteger: .plain("unsigned")
    case .number: .plain("double")
    case .string(let format, let pattern):
      .plain(
        (["string", format, pattern.map { "/\($0)/" }].compactMap { $0 }).joined(separator: " "))
    case .data: .plain("data")
    case .date(let format): .plain("date \(format.name)")
    case .constants(let values): .one(values.map(\.constant))
    case .array(let schema): .array(schema.structuredForm(inside: models))
    case .dictionary(let schema): .dictionary(schema.structuredForm(inside: models))
    case .object(let object): object().form(inside: models)
    case .reference(let object): object().referenceForm(inside: models)
    case .optional(let schema): .optional(schema.structuredForm(inside: models))
    case .anyOf(let schemas): .anyOf(schemas.map { $0.structuredForm(inside: models) })
    }
  }
}

extension FieldContent {
  /// The value as text, in full.
  fileprivate var constant: String {
    if case .string(let text) = self { "\"\(text)\"" } else { description }
  }
}

extension ObjectSchema {
  fileprivate func form(inside models: [ID]) -> ValueForm {
    if let index = models.lastIndex(of: id) { return .plain("model ^\(models.count - index)") }
    if models.count >= NestingDepth.limit { return .any }
    let models = models + [id]
    if let cluster { return cluster.form(inside: models) }
    let (members, receivesUnknown) = members(inside: models)
    return .model(members, receivesUnknown: receivesUnknown)
  }

  fileprivate func referenceForm(inside models: [ID]) -> ValueForm {
    let models = models + [id]
    if identity.count == 1, models.count < NestingDepth.limit {
      return identity[0].schema.structuredForm(inside: models)
    }
    return .plain("reference " + identity.map(\.key.name).joined(separator: " "))
  }

  private func members(inside models: [ID]) -> ([String: ValueForm.Member], Bool) {
    var members: [String: ValueForm.Member] = [:]
    var receivesUnknown = false
    for key in keys where key.key.isStored {
      if key.key.receivesUnknownMembers { receivesUnknown = true }
      if key.key.isInlined {
        guard models.count < NestingDepth.limit, let object = key.inlined?() else { continue }
        let inlined = object.members(inside: models)
        members.merge(inlined.0) { one, _ in one }
        receivesUnknown = receivesUnknown || inlined.1
      } else if !key.key.receivesUnknownMembers {
        members[key.key.source?.description ?? "_moho_\(key.key.name)"] = ValueForm.Member(
          form: key.schema.structuredForm(inside: models),
          isOmissible: key.key.isOptional || key.key.hasDefault,
          alternatives: key.key.alternatives.map(\.description))
      }
    }
    return (members, receivesUnknown)
  }
}

extension ObjectSchema.Cluster {
  fileprivate func form(inside models: [ObjectSchema.ID]) -> ValueForm {
    var forms: [String: ValueForm] = [:]
    for (index, variant) in variants.enumerated() {
      let name =
        switch variant.tag {
        case .value(let tag): "tag \(tag)"
        case .unknown: "unknown"
        case .condition: "variant \(index)"
        }
      forms[name] = variant.content?().form(inside: models) ?? .any
    }
    return .cluster(forms)
  }
}

extension DateFormat {
  /// The stable name of the format.
  var name: String {
    switch self {
    case .iso8601: "iso8601"
    case .iso8601Date: "iso8601Date"
    case .epochSeconds: "epochSeconds"
    case .epochMilliseconds: "epochMilliseconds"
    case .pattern(let pattern):
      "/\(pattern.pattern)/ \(pattern.locale.identifier) \(pattern.timeZone.identifier)"
    case .oneOf(let formats): "oneOf[\(formats.map(\.name).joined(separator: ","))]"
    }
  }
}
