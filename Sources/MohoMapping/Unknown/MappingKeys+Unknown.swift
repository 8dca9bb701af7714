extension MappingKeys {
  /// The keys of the object that a decoder reads: these, and those that are
  /// inlined, of a cluster the chosen variant's alone.
  package func tables(in decoder: any FieldDecoder) -> [MappingKeys] {
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

  /// The paths of the keys that may lie at an inlined one, or of one that is
  /// none: of a cluster, those of all variants.
  package func possiblePaths(at index: Int) -> [FieldPath] {
    var issues: [DeclarationIssue] = []
    let claims = members(of: index, inside: [], &issues)
    return claims.map(\.path) + claims.flatMap(\.alternatives)
  }

  /// What is wrong with the keys that take unknown members, beside the others.
  ///
  /// What is wrong inside an inlined model, its own mapping says.
  ///
  /// - Parameter claims: The paths at each key.
  func keepingIssues(_ claims: [[PathClaim]]) -> [DeclarationIssue] {
    var issues: [DeclarationIssue] = []
    let takers = keys.indices.map { self.takers(at: $0, inside: []) }
    for (position, later) in takers.enumerated() {
      guard let taker = later.first else { continue }
      if let earlier = takers[..<position].lazy.compactMap(\.first).first {
        issues.append(
          DeclarationIssue("`\(earlier)` and `\(taker)` take the unknown members of one object"))
      }
      for claim in claims.enumerated().filter({ $0.offset != position }).flatMap(\.element) {
        guard
          let path = ([claim.path] + claim.alternatives).first(where: { $0.elementPath != nil })
        else { continue }
        issues.append(
          DeclarationIssue(
            "`\(taker)` takes the unknown members, and `\(claim.name)` collects from"
              + " `\(path.valuePath)`, whose elements cannot keep theirs: map `\(path.valuePath)` to an"
              + " array of models instead"))
      }
    }
    return issues
  }

  /// The keys that take unknown members at a key, or inside an inlined one.
  private func takers(at index: Int, inside models: [ObjectIdentifier]) -> [String] {
    if keys[index].receivesUnknownMembers {
      return [models.isEmpty ? keys[index].name : "\(model).\(keys[index].name)"]
    }
    return inlined[index, default: []].flatMap { model -> [String] in
      guard !models.contains(ObjectIdentifier(model)), models.count < NestingDepth.limit else {
        return []
      }
      let table = model.table
      return table.keys.indices.flatMap {
        table.takers(at: $0, inside: models + [ObjectIdentifier(model)])
      }
    }
  }
}
