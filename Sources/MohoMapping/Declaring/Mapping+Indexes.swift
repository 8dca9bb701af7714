extension Mapping {
  /// Returns a mapping in which a combination of keys is unique: no two models
  /// in a store have the same values for all of them.
  ///
  /// ```swift
  /// .unique(\.podcast, \.number)
  /// ```
  ///
  /// Models in which one of the values is nil are not compared. The combination
  /// does not identify a row: saving another model with the same values is an
  /// error. A to-one relation can be one of the keys.
  public func unique(_ keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    adding(keyPaths, "a unique key") { $0.uniqueKeys.append($1) }
  }

  /// Returns a mapping for which a store has an index on several keys. The
  /// index serves requests that order by all of the keys, or that filter by the
  /// first and order by the others.
  ///
  /// ```swift
  /// .indexed(\.season, \.publishedAt)
  /// ```
  public func indexed(_ keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    adding(keyPaths, "an index") { $0.indexes.append($1) }
  }

  private func adding(
    _ keyPaths: [any PartialKeyPath<Model> & Sendable], _ what: String,
    _ add: (inout Self, [String]) -> Void
  ) -> Self {
    var mapping = self
    let issues = keyPaths.compactMap { issue(of: $0, in: what) }
    mapping.declaredIssues += issues
    if keyPaths.isEmpty {
      mapping.declaredIssues.append(DeclarationIssue("\(what) has no keys"))
    } else if issues.isEmpty {
      add(&mapping, keyPaths.compactMap { key(for: $0)?.name })
    }
    return mapping
  }

  private func issue(of keyPath: PartialKeyPath<Model>, in what: String) -> DeclarationIssue? {
    guard let key = key(for: keyPath) else {
      return DeclarationIssue("\(what) contains `\(keyPath)`, which is not a key")
    }
    if !key.isStored || key.relation?.models.isToMany == true {
      return DeclarationIssue("\(what) contains `\(keyPath)`, which has no column")
    }
    return nil
  }
}
