extension Mapping {
  /// Returns a mapping whose models are identified by a combination of keys.
  ///
  /// Saving a model updates the stored row with the same values for all of the
  /// keys. In this example, the items of two feeds can have equal ids:
  ///
  /// ```swift
  /// struct Item: MappedModel {
  ///   var feed: ModelReference<Feed>?
  ///   var guid: String
  ///   var title: String
  ///
  ///   static let mapping = Mapping(
  ///     "Item", Item.init,
  ///     .toOne("feed", \.feed, inverse: "items"), .key("guid", \.guid), .key("title", \.title)
  ///   )
  ///   .identified(by: \.feed, \.guid)
  /// }
  /// ```
  ///
  /// A to-one relation can be one of the keys, if the related model has an
  /// identity. An item that is nested in a feed belongs to that feed, whatever
  /// its own value of the relation is.
  ///
  /// With this declaration, keys with the trait ``KeyTraits/unique`` and
  /// combinations of ``unique(_:)`` are constraints and identify no row: saving
  /// a model that has the identity of one row and the unique value of another
  /// row is an error. If one of the identifying values is nil, the model equals
  /// no stored model, and each save inserts a row.
  public func identified(by keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    var mapping = adding(keyPaths, "the identity") { mapping, _ in
      mapping.parts.identity = keyPaths.compactMap { mapping.index(of: $0) }
    }
    for (position, keyPath) in keyPaths.enumerated() where keyPaths[..<position].contains(keyPath) {
      mapping.parts.declaredIssues.append(
        DeclarationIssue("the identity contains \(mapping.shown(keyPath)) several times"))
    }
    if declaresIdentity {
      mapping.parts.declaredIssues.append(
        DeclarationIssue("the identity is declared several times"))
    }
    mapping.parts.declaresIdentity = true
    return mapping
  }

  /// Returns a mapping in which a combination of keys is unique: no two models
  /// in a store have the same values for all of them.
  ///
  /// ```swift
  /// .unique(\.podcast, \.number)
  /// ```
  ///
  /// Models in which one of the values is nil are not compared. The combination
  /// does not identify a row: saving another model with the same values is an
  /// error. A to-one relation can be one of the keys. To declare the combination
  /// that identifies a row, use ``identified(by:)``.
  public func unique(_ keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    adding(keyPaths, "a unique key") { $0.parts.uniqueKeys.append($1) }
  }

  /// Returns a mapping for which a store has an index on several keys. The
  /// index serves requests that order by all of the keys, or that filter by the
  /// first and order by the others.
  ///
  /// ```swift
  /// .indexed(\.season, \.publishedAt)
  /// ```
  public func indexed(_ keyPaths: any PartialKeyPath<Model> & Sendable...) -> Self {
    adding(keyPaths, "an index") { $0.parts.indexes.append($1) }
  }

  private func adding(
    _ keyPaths: [any PartialKeyPath<Model> & Sendable], _ what: String,
    _ add: (inout Self, [String]) -> Void
  ) -> Self {
    var mapping = self
    let issues = keyPaths.compactMap { issue(of: $0, in: what) }
    mapping.parts.declaredIssues += issues
    if keyPaths.isEmpty {
      mapping.parts.declaredIssues.append(DeclarationIssue("\(what) has no keys"))
    } else if issues.isEmpty {
      add(&mapping, keyPaths.compactMap { key(for: $0)?.name })
    }
    return mapping
  }

  private func issue(of keyPath: PartialKeyPath<Model>, in what: String) -> DeclarationIssue? {
    guard let key = key(for: keyPath) else {
      return DeclarationIssue("\(what) contains \(propertyText(keyPath)), which is not a key")
    }
    if !key.isStored || key.relation?.models.isToMany == true {
      return DeclarationIssue("\(what) contains \(shown(keyPath)), which has no column")
    }
    return nil
  }
}
