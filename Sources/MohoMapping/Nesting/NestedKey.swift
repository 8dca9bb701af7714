/// A key of a nested model, or of a model that is nested in it.
package struct NestedKey: Hashable, Sendable {
  /// The names of the keys, from the outermost one.
  package let names: [String]
  package let path: NestedPath
  /// For each step of the path, the value of the key in JSON if the value at the step is
  /// absent. Nil stands for nil.
  package let defaults: [String?]

  /// Returns the value in the text of the nested model.
  package func content(in text: String) -> FieldContent {
    var text = text
    switch text.withUTF8({ path.find(in: $0) }) {
    case .content(let content): return content
    case .absent(let step):
      return defaults[step].map { path.form.content(ofJSON: $0) } ?? .null
    }
  }
}

extension NestedKey {
  /// Why requests cannot use a key. The associated values are names of keys and models.
  package enum Problem: Error, Hashable {
    case unknown(name: String, model: String, others: [String])
    /// The key is in the model only, or in documents only.
    case notStored(key: String, model: String)
    /// The value is not a model, and has no keys.
    case notNested(key: String, model: String, name: String)
    /// The key of a variant of a cluster.
    case variant(model: String, discriminator: String?)
    /// The value is nested by another mapping than that of its type.
    case otherMapping(model: String)
    case unknownMembers(key: String, model: String)
    /// Whether an inlined model is absent depends on unknown members.
    case uncertainAbsence(key: String, model: String)
    case unknownDateFormat(key: String, model: String)
  }

  /// Finds a key.
  ///
  /// - Parameters:
  ///   - names: The names of the keys, from the outermost one. Not empty.
  ///   - model: The schema of the outermost nested model.
  package init(_ names: [String], in model: ObjectSchema) throws(Problem) {
    var choices: [Choice] = []
    for name in names {
      let object: ObjectSchema
      if let last = choices.last {
        guard let inner = last.key.object else {
          throw .notNested(key: last.key.key.name, model: last.object.name, name: name)
        }
        object = inner
      } else {
        object = model
      }
      choices.append(try Choice(name, in: object))
    }
    let form = try choices.last?.form ?? .structured
    var steps: [NestedPath.Step] = []
    var defaults: [String?] = []
    // From the innermost key: the default of a model applies to its keys.
    for (position, choice) in choices.enumerated().reversed() {
      let value = choice.key.defaultValue.flatMap { value in
        Self.value(of: choices[(position + 1)...], in: value).flatMap { form.json(of: $0) }
      }
      if choice.key.key.isInlined {
        let isOmissible = choice.key.key.isOptional || choice.key.key.hasDefault
        let hasDefault = value != nil || defaults.contains { $0 != nil }
        guard isOmissible, hasDefault || position == choices.count - 1 else { continue }
        steps.append(.inlined(try choice.inlinedMembers()))
      } else {
        steps.append(.member(choice.key.member))
      }
      defaults.append(value)
    }
    self.names = names
    path = NestedPath(steps: steps.reversed(), form: form)
    self.defaults = defaults.reversed()
  }

  /// The content of a key in the written content of a model.
  private static func value(
    of choices: ArraySlice<Choice>, in content: FieldContent
  ) -> FieldContent? {
    var content = content
    for choice in choices {
      guard case .object(let fields) = content, fields.indices.contains(choice.writtenIndex) else {
        return nil
      }
      content = fields[choice.writtenIndex]
    }
    return content
  }
}

/// A key of a model.
private struct Choice {
  let object: ObjectSchema
  let index: Int

  var key: ObjectSchema.Key { object.keys[index] }

  /// The index among the keys that are written.
  var writtenIndex: Int { object.keys[..<index].count { !$0.key.isTransient } }

  init(_ name: String, in object: ObjectSchema) throws(NestedKey.Problem) {
    if object.isOtherMapping { throw .otherMapping(model: object.name) }
    let index = object.keys.firstIndex { $0.key.name == name }
    if object.cluster != nil, index.map({ object.keys[$0].key.isInlined }) ?? true {
      throw .variant(
        model: object.name, discriminator: object.keys.first { !$0.key.isInlined }?.key.name)
    }
    guard let index else {
      throw .unknown(
        name: name, model: object.name,
        others: object.keys.filter { $0.key.isStored }.map(\.key.name))
    }
    let key = object.keys[index].key
    guard key.isStored else { throw .notStored(key: name, model: object.name) }
    if key.receivesUnknownMembers { throw .unknownMembers(key: name, model: object.name) }
    self.object = object
    self.index = index
  }

  /// The form of the value of the key.
  var form: NestedPath.Form {
    get throws(NestedKey.Problem) {
      switch key.key.type {
      case .boolean: return .boolean
      case .integer: return .integer
      case .unsignedInteger: return .unsigned
      case .double: return .double
      case .decimal: return .decimal
      // The schema of a discriminator is not known.
      case .string: return key.schema.isJSON && object.cluster == nil ? .structured : .string
      case .uuid: return .uuid
      case .data: return .data
      case .date:
        guard let format = key.schema.readableDateFormat else {
          throw .unknownDateFormat(key: key.key.name, model: object.name)
        }
        return .date(format)
      case .null, .object, .array, .dictionary, .reference: return .structured
      }
    }
  }

  /// The keys of an inlined model. If all of them are absent, the model is.
  func inlinedMembers() throws(NestedKey.Problem) -> [NestedPath.Member] {
    guard let members = key.object.flatMap({ $0.members(inside: 1) }) else {
      throw .uncertainAbsence(key: key.key.name, model: object.name)
    }
    return members
  }
}

extension ObjectSchema {
  /// The keys of the object, with those of inlined models and variants. Nil if other
  /// members of the object matter.
  ///
  /// - Parameter depth: The number of models that contain the object.
  fileprivate func members(inside depth: Int) -> [NestedPath.Member]? {
    guard depth <= NestingDepth.limit else { return nil }
    let needsKeys = keys.contains { !$0.key.isOptional && !$0.key.hasDefault }
    var members: [NestedPath.Member] = []
    var models = cluster?.variants.compactMap { $0.content?() } ?? []
    for key in keys where key.key.isStored {
      if key.key.receivesUnknownMembers {
        guard needsKeys else { return nil }
      } else if !key.key.isInlined {
        members.append(key.member)
      } else if let inlined = key.inlined?() {
        models.append(inlined)
      }
    }
    for model in models {
      guard let inner = model.members(inside: depth + 1) else { return nil }
      members += inner
    }
    return members
  }
}

extension ObjectSchema.Key {
  /// The schema of a nested or inlined model.
  fileprivate var object: ObjectSchema? { inlined?() ?? schema.object }

  fileprivate var member: NestedPath.Member {
    let paths =
      [key.path(isStored: true)].compactMap { $0 } + key.alternatives(isStored: true)
    return NestedPath.Member(
      paths: paths.map(\.valuePath), nullIsAbsent: key.traits.contains(.nullIsAbsent))
  }
}
