extension FieldKeys {
  /// Returns the keys that are written as null if an inlined model is nil. Nil
  /// for a cluster, whose variants differ.
  package func keysOfNil(at index: Int) -> FieldKeys? {
    isCluster ? nil : inlined[index]?.first?.table
  }

  /// Whether a decoder has no value for a key, or for any key of an inlined
  /// model.
  func isAbsent(at index: Int, in decoder: any FieldDecoder) -> Bool {
    let key = keys[index]
    guard key.isInlined else {
      return decoder.isAbsent(at: index)
        || (key.traits.contains(.nullIsAbsent) && (try? decoder.isNull(at: index)) == true)
    }
    return inlined[index, default: []].allSatisfy {
      $0.isInlinedAbsent(in: decoder, at: index)
    }
  }

  /// Whether a decoder has a value for none of the keys. Unknown members do not
  /// count if the model requires some key.
  func areAbsent(in decoder: any FieldDecoder) -> Bool {
    let needsKeys = keys.contains { !$0.isOptional && !$0.hasDefault }
    return keys.indices.allSatisfy { index in
      (keys[index].receivesUnknownMembers && needsKeys) || isAbsent(at: index, in: decoder)
    }
  }

  /// Whether a decoder has null for every key although one of them cannot be
  /// null. A model that is nil is written like this.
  func areNull(in decoder: any FieldDecoder) -> Bool {
    keys.contains { !$0.isOptional }
      && keys.indices.allSatisfy { index in
        let key = keys[index]
        guard key.source != nil else { return true }
        guard key.isInlined else {
          return !decoder.isAbsent(at: index) && (try? decoder.isNull(at: index)) == true
        }
        return inlined[index, default: []].allSatisfy { model in
          let table = model.table
          guard let object = try? decoder.object(at: index, keys: table) else { return false }
          guard isCluster else { return table.areNull(in: object) }
          // The variants of a cluster that is nil are not written. They may map
          // the discriminator.
          return table.keys.indices.allSatisfy {
            table.keys[$0].source == keys[0].source || table.isAbsent(at: $0, in: object)
          }
        }
      }
  }
}

extension MappedModel {
  static var table: FieldKeys { mapping.fieldKeys }
  fileprivate static var modelName: String { mapping.name }

  /// Whether an object has no value for any key of an inlined model.
  static func isInlinedAbsent(in decoder: any FieldDecoder, at index: Int) -> Bool {
    let table = table
    guard let object = try? decoder.object(at: index, keys: table) else {
      return decoder.isAbsent(at: index)
    }
    return table.areAbsent(in: object)
  }

  /// Reads an inlined model. Returns nil if all of its keys are absent, or if
  /// all of them are null although one of them cannot be.
  static func decodeInlined(from decoder: any FieldDecoder, at index: Int) throws -> Self? {
    if try decoder.isNull(at: index) { return nil }
    let mapping = mapping
    try mapping.checkDeclaration()
    let object = try decoder.object(at: index, keys: mapping.fieldKeys)
    if mapping.fieldKeys.areAbsent(in: object) || mapping.fieldKeys.areNull(in: object) {
      return nil
    }
    return try mapping.soundModel(from: object)
  }
}

extension FieldKeys {
  /// Returns conflicts between the paths of the object, and models that are
  /// inlined in themselves.
  func findInliningIssues() -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    let members = keys.indices.map { self.members(of: $0, inside: [], &issues) }
    for (position, later) in members.enumerated() {
      for earlier in 0..<position where keys[position].isInlined || keys[earlier].isInlined {
        for one in members[earlier] {
          for other in later where !isDiscriminator(one, other) {
            issues += PathClaim.conflicts(one, other).map(DeclarationIssue.init)
          }
        }
      }
    }
    return issues + unknownMemberIssues(members)
  }

  /// Whether a variant maps the discriminator, which is allowed.
  private func isDiscriminator(_ one: PathClaim, _ other: PathClaim) -> Bool {
    isCluster && one.path == other.path
  }

  /// Returns the paths of a key in the object: its own, or those of an inlined
  /// model.
  func members(
    of index: Int, inside models: [ObjectIdentifier], _ issues: inout [DeclarationIssue]
  ) -> [PathClaim] {
    let key = keys[index]
    guard key.isInlined else {
      return key.claim.map { [$0] } ?? []
    }
    var members: [PathClaim] = []
    for model in inlined[index, default: []] {
      let (table, name) = (model.table, model.modelName)
      guard !models.contains(ObjectIdentifier(model)) else {
        let issue = DeclarationIssue("`\(name)` is inlined in itself")
        if !issues.contains(issue) { issues.append(issue) }
        continue
      }
      // Generic models can contain an unlimited number of models.
      guard models.count < NestingDepth.limit else {
        let issue = DeclarationIssue(
          "models are inlined more than \(NestingDepth.limit) levels deep")
        if !issues.contains(issue) { issues.append(issue) }
        continue
      }
      for inner in table.keys.indices {
        members += table.members(
          of: inner, inside: models + [ObjectIdentifier(model)], &issues
        ).map {
          table.keys[inner].isInlined
            ? $0
            : PathClaim(
              name: "\(name).\($0.name)", path: $0.path, alternatives: $0.alternatives)
        }
      }
    }
    return members
  }
}
