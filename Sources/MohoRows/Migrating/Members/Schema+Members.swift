package import MohoMapping

extension Schema {
  /// Finds the unknown members that declared keys take, and the values that become
  /// unknown members: for entities whose keys are mapped to other paths than
  /// recorded, or with keys that become unknown.
  ///
  /// - Parameters:
  ///   - record: The record of the store, after the renaming steps.
  ///   - kept: The keys whose values declared migrations keep.
  ///   - isPlan: Whether the database is only read.
  ///   - table: Returns the stored table of an entity.
  ///   - query: As in ``MemberMigration/findings(isPlan:_:)``.
  package func memberMoves(
    since record: StoreRecord, _ policy: MigrationPolicy, keeping kept: Set<SchemaPart>,
    isPlan: Bool, _ table: (String) -> MemberMigration.Table?,
    _ query: (String, [FieldContent]) throws -> [[FieldContent]]
  ) throws -> MemberMoves {
    guard policy.migrates else { return MemberMoves() }
    let parts = keepable(policy.kept.union(kept), record)
    let migrations = entities.compactMap { entity -> MemberMigration? in
      guard let model = models[entity.name]?.model, memberClaims(of: entity.name) != nil,
        let table = table(entity.name)
      else { return nil }
      return MemberMigration.make(model, self, table, record, retaining: parts)
    }
    return try MemberMoves(migrations, isPlan: isPlan, query)
  }

  /// Returns the keys that are no longer declared, and whose values become unknown
  /// members.
  ///
  /// - Parameters:
  ///   - kept: The keys whose values declared migrations keep.
  ///   - record: The record of the store, before the renaming steps.
  package func keepable(
    _ kept: Set<SchemaPart>, _ policy: MigrationPolicy, _ record: StoreRecord,
    after renamings: [Renaming]
  ) -> Set<SchemaPart> {
    var record = record
    for renaming in renamings where canApply(renaming) { record.rename(renaming) }
    return keepable(policy.kept.union(kept), record)
  }

  private func keepable(_ parts: Set<SchemaPart>, _ record: StoreRecord) -> Set<SchemaPart> {
    parts.filter { part in
      guard let key = part.key, let entity = entity(part.entity),
        entity.attribute(key) == nil, entity.relationship(key) == nil
      else { return false }
      return memberClaims(of: part.entity) != nil && record[.init(.form, part.entity, key)] != nil
    }
  }

  private func memberClaims(of entity: String) -> (key: String, paths: String)? {
    models[entity].flatMap { Self.memberClaims(of: $0.model) }
  }

  /// What the keys of documents are, for the record of a store.
  package var documentedKeys: [StoreRecord.Subject: String] {
    var documented: [StoreRecord.Subject: String] = [:]
    for entity in entities {
      guard let model = models[entity.name]?.model else { continue }
      if let (key, paths) = Self.memberClaims(of: model) {
        documented[.init(.claims, entity.name, key)] = paths
      }
      for (key, form) in Self.documentedKeys(of: model) {
        documented[.init(.documented, entity.name, key)] = form.text
      }
    }
    return documented
  }

  private static func documentedKeys<Model: MappedModel>(
    of model: Model.Type
  ) -> [String: DocumentedKey] {
    Model.mapping.documentedKeys
  }

  private static func memberClaims<Model: MappedModel>(
    of model: Model.Type
  ) -> (key: String, paths: String)? {
    MemberTaking(Model.mapping).map { (Model.mapping.keys[$0.receiver].name, $0.claims) }
  }
}
