extension MappingKeys {
  /// The keys that are null where an inlined model is nil. None of a cluster's
  /// variants, which differ.
  package func keysOfNil(at index: Int) -> MappingKeys? {
    isCluster ? nil : inlined[index]?.first?.table
  }

  /// Whether a decoder holds nothing of a key: of an inlined one, none of the
  /// keys inside.
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

  /// Whether a decoder holds none of the keys. Unknown members alone are no sign
  /// of a model that cannot be without some key.
  func areAbsent(in decoder: any FieldDecoder) -> Bool {
    let needsKeys = keys.contains { !$0.isOptional && !$0.hasDefault }
    return keys.indices.allSatisfy { index in
      (keys[index].receivesUnknownMembers && needsKeys) || isAbsent(at: index, in: decoder)
    }
  }

  /// Whether a decoder holds null for every key, one of which must not be null:
  /// no model at all, as it is written where nil is.
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
          // The variants of a cluster are not written of no model. They may map
          // the discriminator.
          return table.keys.indices.allSatisfy {
            table.keys[$0].source == keys[0].source || table.isAbsent(at: $0, in: object)
          }
        }
      }
  }
}

extension MappedModel {
  static var table: MappingKeys { mapping.mappingKeys }
  fileprivate static var modelName: String { mapping.name }

  /// Whether an object holds none of the keys of a model that lie among others.
  static func isInlinedAbsent(in decoder: any FieldDecoder, at index: Int) -> Bool {
    let table = table
    guard let object = try? decoder.object(at: index, keys: table) else {
      return decoder.isAbsent(at: index)
    }
    return table.areAbsent(in: object)
  }

  /// Reads a model whose keys lie among those of another; nil where none is
  /// there, or all are null and one must not be.
  static func decodeInlined(from decoder: any FieldDecoder, at index: Int) throws -> Self? {
    if try decoder.isNull(at: index) { return nil }
    let mapping = mapping
    try mapping.checkDeclaration()
    let object = try decoder.object(at: index, keys: mapping.mappingKeys)
    if mapping.mappingKeys.areAbsent(in: object) || mapping.mappingKeys.areNull(in: object) {
      return nil
    }
    return try mapping.model(from: object)
  }
}

extension MappingKeys {
  /// The paths that two keys of the object claim, and models that lie inlined
  /// in themselves.
  func findInliningIssues() -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    let members = keys.indices.map { self.members(of: $0, inside: [], &issues) }
    for (position, later) in members.enumerated() {
      for earlier in 0..<position where keys[position].isInlined || keys[earlier].isInlined {
        for one in members[earlier] {
          for other in later where !isDiscriminator(one, other) {
            issues += DeclarationIssue.conflicts(one, other)
          }
        }
      }
    }
    return issues + keepingIssues(members)
  }

  /// Whether a variant maps the discriminator too, which it may.
  private func isDiscriminator(_ one: PathClaim, _ other: PathClaim) -> Bool {
    isCluster && one.path == other.path
  }

  /// The keys that stand for a key in the object: those inside an inlined one.
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
        let issue = DeclarationIssue("`\(name)` lies inlined in itself")
        if !issues.contains(issue) { issues.append(issue) }
        continue
      }
      // Generic models can nest other models without end.
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
