import MohoMapping

/// The step of a migration that moves unknown members of rows to the keys that
/// are declared for them.
package struct MemberMigration: Sendable {
  /// The stored table of the entity.
  package struct Table: Sendable {
    let name: String
    let identity: String
    let columns: [String: String]

    /// - Parameters:
    ///   - name: The name of the table in the database.
    ///   - identity: The column that identifies the rows.
    ///   - columns: The columns in the database that contain the values of keys, by key.
    package init(name: String, identity: String, columns: [String: String]) {
      self.name = name
      self.identity = identity
      self.columns = columns
    }
  }

  /// A key that is no longer declared, whose values become unknown members.
  struct UndeclaredKey: Sendable {
    let name: String
    let column: String
    let documented: DocumentedKey
    let form: ValueForm
  }

  package let entity: String
  /// The name of the key that receives unknown members.
  let receiver: String
  let keys: [FieldKey]
  let retained: [UndeclaredKey]
  let table: Table
  let compiled: CompiledSchema
  let take: @Sendable (FieldContent?, [String], (Int) -> Bool) throws -> TakenMembers?

  static func make<Model: MappedModel>(
    _ model: Model.Type, _ schema: Schema, _ table: Table, _ record: StoreRecord,
    retaining parts: Set<SchemaPart>
  ) -> MemberMigration? {
    let mapping = Model.mapping
    guard let taking = MemberTaking(mapping) else { return nil }
    let retained = table.columns.sorted { $0.key < $1.key }.compactMap {
      name, column -> UndeclaredKey? in
      guard parts.contains(.key(name, of: mapping.name)),
        let form = record[.init(.form, mapping.name, name)]
      else { return nil }
      let documented = record[.init(.documented, mapping.name, name)]
      return UndeclaredKey(
        name: name, column: column,
        documented: documented.map { DocumentedKey(text: $0) } ?? .init(named: name),
        form: ValueForm(text: form))
    }
    let receiver = mapping.keys[taking.receiver].name
    let former = record[.init(.claims, mapping.name, receiver)]
    let hasNewClaims = table.columns[receiver] != nil && former != taking.claims
    guard hasNewClaims || !retained.isEmpty else { return nil }
    return MemberMigration(
      entity: mapping.name, receiver: receiver, keys: mapping.keys, retained: retained,
      table: table, compiled: schema.compiled
    ) { try taking.members(of: $0, adding: $1, after: former, where: $2) }
  }
}
