import Synchronization

extension FieldKeys {
  /// Returns the keys of the object that a decoder reads: these keys and those
  /// of inlined models. For a cluster, only the keys of the chosen variant are
  /// included.
  package func tables(in decoder: any FieldDecoder) -> [FieldKeys] {
    var tables = [self]
    for index in keys.indices where keys[index].isInlined {
      for model in chosen?(decoder) ?? inlined[index, default: []] {
        let table = model.table
        guard let object = try? decoder.object(at: index, keys: table) else { continue }
        tables += table.tables(in: object)
      }
    }
    return tables
  }

  /// The paths of the keys of inlined models. Nil if those of an object depend on its values:
  /// the keys of variants, and alternatives.
  ///
  /// - Parameter isStored: Whether the paths are those in structured text of a store.
  package func pathsOfInlinedModels(isStored: Bool = false) -> [FieldPath]? {
    var paths: [FieldPath] = []
    for (index, key) in keys.enumerated() where key.isInlined {
      guard !isCluster, let models = inlined[index] else { return nil }
      for model in models {
        let table = model.table
        guard !table.isCluster, let inside = table.fixedPaths(besides: nil, isStored: isStored)
        else { return nil }
        paths += inside
      }
    }
    return paths
  }

  /// The paths of the keys besides one. Nil if those of an object depend on its values.
  func fixedPaths(besides index: Int?, isStored: Bool) -> [FieldPath]? {
    let others = keys.indices.filter { $0 != index }.map { keys[$0] }
    let areFixed = others.allSatisfy {
      !$0.isInlined && !$0.receivesUnknownMembers && $0.alternatives.isEmpty
        && $0.source?.elementPath == nil
    }
    return areFixed ? others.compactMap { $0.path(isStored: isStored) } : nil
  }

  /// Returns the paths of a key, or of the keys of an inlined model. For a
  /// cluster, the keys of all variants are included.
  package func possiblePaths(at index: Int) -> [FieldPath] {
    let claims = claims(at: index)
    return claims.map(\.path) + claims.flatMap(\.alternatives)
  }

  /// Returns the keys with one that receives the unknown members of the object in
  /// place of an inlined model that does.
  func receivingUnknownMembers(at index: Int) -> FieldKeys {
    guard keys[index].isInlined else { return self }
    var keys = keys
    keys[index] = FieldKey(
      name: keys[index].name, source: nil, alternatives: [], hasDeclaredSource: true,
      type: .dictionary, isOptional: false, hasDefault: true, traits: [], isTransient: false,
      problems: [], receivesUnknownMembers: true)
    return FieldKeys(keys, of: model, inlined: inlined.filter { $0.key != index })
  }

  /// Returns the paths of a key, or of each key of an inlined model. For a
  /// cluster, the keys of all variants are included.
  func claims(at index: Int) -> [PathClaim] {
    var issues: [DeclarationIssue] = []
    return members(of: index, inside: [], &issues)
  }

  /// Returns conflicts between a key that receives unknown members and other
  /// keys. The mapping of an inlined model reports conflicts between its own
  /// keys.
  ///
  /// - Parameter claims: The paths of each key.
  func unknownMemberIssues(_ claims: [[PathClaim]]) -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    let receivers = keys.indices.map { self.receivers(at: $0, inside: []) }
    for (position, later) in receivers.enumerated() {
      guard let receiver = later.first else { continue }
      if let earlier = receivers[..<position].lazy.compactMap(\.first).first {
        issues.append(
          DeclarationIssue(
            "`\(earlier)` and `\(receiver)` both receive the unknown members of the object"))
      }
      for claim in claims.enumerated().filter({ $0.offset != position }).flatMap(\.element) {
        guard
          let path = ([claim.path] + claim.alternatives).first(where: { $0.elementPath != nil })
        else { continue }
        issues.append(
          DeclarationIssue(
            "`\(receiver)` receives the unknown members, but `\(claim.name)` collects from"
              + " `\(path.valuePath)`, whose elements would lose theirs: map"
              + " `\(path.valuePath)` to an array of models instead"))
      }
    }
    return issues
  }

  /// The index of the key that receives unknown members, or whose inlined model
  /// or variants do. Nil if no key receives them.
  var receiver: Int? {
    if let unknownIndex { return unknownIndex }
    if inlined.isEmpty { return nil }
    if let known = receiverIndex.withLock({ $0 }) { return known }
    // Not computed earlier: declarations of inlined models can refer to this one.
    let index = keys.indices.first { !receivers(at: $0, inside: []).isEmpty }
    receiverIndex.withLock { $0 = .some(index) }
    return index
  }

  /// Returns the keys that receive unknown members: the key itself, or keys of
  /// an inlined model.
  private func receivers(at index: Int, inside models: [ObjectIdentifier]) -> [String] {
    if keys[index].receivesUnknownMembers {
      return [models.isEmpty ? keys[index].name : "\(model).\(keys[index].name)"]
    }
    return inlined[index, default: []].flatMap { model -> [String] in
      guard !models.contains(ObjectIdentifier(model)), models.count < NestingDepth.limit else {
        return []
      }
      let table = model.table
      return table.keys.indices.flatMap {
        table.receivers(at: $0, inside: models + [ObjectIdentifier(model)])
      }
    }
  }
}
