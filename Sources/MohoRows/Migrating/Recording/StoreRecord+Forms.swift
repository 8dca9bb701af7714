package import MohoMapping

extension StoreRecord {
  /// Follows a renamed entity or key. Versions and migrations remain recorded for the
  /// former name, so that an older app cannot create the entity again.
  package mutating func rename(_ renaming: Renaming) {
    let (entity, old) = (renaming.part.entity, renaming.oldName)
    for case let subject in forms {
      guard let form = self[subject] else { continue }
      if let key = renaming.part.key {
        guard subject.name == entity, subject.key == old else { continue }
        self[subject] = nil
        self[.init(subject.kind, entity, key)] = form
      } else if subject.name == old {
        self[subject] = nil
        self[.init(subject.kind, entity, subject.key)] = form
      }
    }
  }

  /// Follows the steps of a declared migration. Transformed and converted values have the
  /// declared form.
  package mutating func run(_ migration: Migration) {
    for step in migration.steps {
      switch step {
      case .rename(let renaming): rename(renaming)
      case .transform(let transform):
        self[.init(.form, transform.entity, transform.newKey)] = nil
      case .convert(let conversion):
        removeForms { $0.name == conversion.oldEntity || $0.name == conversion.newEntity }
      case .discard, .keep, .sql, .run: break
      }
    }
  }

  mutating func removeForms(where isRemoved: (Subject) -> Bool) {
    for subject in forms where isRemoved(subject) { self[subject] = nil }
  }

  private var forms: [Subject] { entries.keys.filter(\.kind.describesValues) }
}

extension Schema {
  /// The forms of the values of all keys that have a column.
  package var forms: [SchemaPart: ValueForm] {
    var forms: [SchemaPart: ValueForm] = [:]
    for entity in entities {
      let modelForms = models[entity.name].map { Self.forms(of: $0.model) }
      for attribute in entity.attributes {
        forms[.key(attribute.name, of: entity.name)] =
          modelForms?[attribute.name] ?? attribute.type.form
      }
    }
    return forms
  }

  private static func forms<Model: MappedModel>(of model: Model.Type) -> [String: ValueForm] {
    Model.mapping.valueForms
  }

  /// The keys whose stored values have a form that the declared key may not read, with
  /// advice.
  ///
  /// - Parameter isSame: Whether a column has the declared type. Differences of types are
  ///   found elsewhere.
  package func formDifferences(
    _ record: StoreRecord, where isSame: (SchemaPart) -> Bool = { _ in true }
  ) -> [(difference: SchemaDifference, advice: String)] {
    let forms = self.forms
    return entities.flatMap { entity in
      entity.attributes.compactMap { attribute in
        let part = SchemaPart.key(attribute.name, of: entity.name)
        guard let old = record[.init(.form, entity.name, attribute.name)], let new = forms[part],
          !new.reads(ValueForm(text: old)), isSame(part)
        else { return nil }
        return (
          SchemaDifference(entity.name, attribute.name, .form(from: old, to: new.text)),
          "declare a migration that transforms the values of \(part)"
        )
      }
    }
  }
}

extension AttributeType {
  /// The form of the values of an entity without a model. The constraints of the table
  /// check the rest.
  fileprivate var form: ValueForm {
    switch self {
    case .int16, .int32, .int64, .uint64: .plain("integer")
    case .double, .float: .plain("double")
    case .string, .url: .string
    case .decimal, .boolean, .date, .data, .uuid: .plain(rawValue)
    case .structured: .any
    }
  }
}
