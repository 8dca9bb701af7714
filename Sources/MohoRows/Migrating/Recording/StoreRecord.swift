/// What a store records about the declarations that it was opened with: the version of
/// the app for each entity, the entities of each migration, and the forms of values.
package struct StoreRecord: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// The greatest version that has opened an entity. The name is the entity.
    case version
    /// A migration of an entity. The name is the migration, the key is the entity.
    case scope
    /// The form of the values of a key, as the text of a `ValueForm`. The name is the
    /// entity.
    case form
    /// The paths that keys are mapped to beside a key that receives unknown members. The
    /// name is the entity.
    case claims
    /// How documents contain a key, as the text of a `DocumentedKey`. The name is the
    /// entity.
    case documented

    /// Whether the entry describes the values of a key.
    var describesValues: Bool { self != .version && self != .scope }
  }

  /// What an entry states, which is unique in a store.
  package struct Subject: Sendable, Hashable {
    package let kind: Kind
    package let name: String
    package let key: String

    package init(_ kind: Kind, _ name: String, _ key: String = "") {
      self.kind = kind
      self.name = name
      self.key = key
    }

    var entity: String { kind == .scope ? key : name }
  }

  /// The recorded texts.
  package private(set) var entries: [Subject: String] = [:]

  package init() {}

  package subscript(subject: Subject) -> String? {
    get { entries[subject] }
    set { entries[subject] = newValue }
  }

  /// Adds an entry that was read from a store. Entries of an unknown kind are ignored.
  package mutating func read(kind: String, name: String, key: String, value: String) {
    guard let kind = Kind(rawValue: kind) else { return }
    entries[Subject(kind, name, key)] = value
  }

  /// The greatest recorded version of some entities, or 0.
  package func version(of entities: Set<String>) -> Int {
    entries.lazy.filter { $0.key.kind == .version && entities.contains($0.key.name) }
      .compactMap { Int($0.value) }.max() ?? 0
  }

  /// The names of the migrations that are recorded for some entities, sorted.
  package func migrations(of entities: Set<String>) -> [String] {
    Set(
      entries.keys.lazy.filter { $0.kind == .scope && entities.contains($0.key) }.map(\.name)
    ).sorted()
  }

  mutating func removeMigrations(of entities: Set<String>, except names: Set<String>) {
    entries = entries.filter { subject, _ in
      subject.kind != .scope || !entities.contains(subject.key) || names.contains(subject.name)
    }
  }

  /// Returns the entries to delete and to insert to change a store from another record.
  /// A changed entry is deleted and inserted.
  package func changes(
    from old: StoreRecord
  ) -> (deleted: [Subject], inserted: [(subject: Subject, value: String)]) {
    let deleted = old.entries.filter { entries[$0.key] != $0.value }.keys
    let inserted = entries.filter { old.entries[$0.key] != $0.value }
    return (
      deleted.sorted(by: Self.isBefore),
      inserted.sorted { Self.isBefore($0.key, $1.key) }.map { ($0.key, $0.value) }
    )
  }

  /// Whether the record changes something about entities that another record knows.
  ///
  /// - Parameter ignoresForms: Whether only versions and migrations matter.
  package func changesEntities(of old: StoreRecord, ignoringForms ignoresForms: Bool) -> Bool {
    let known = Set(old.entries.keys.map(\.entity))
    let changes = changes(from: old)
    return (changes.deleted + changes.inserted.map(\.subject)).contains { subject in
      known.contains(subject.entity) && !(ignoresForms && subject.kind.describesValues)
    }
  }

  private static func isBefore(_ one: Subject, _ other: Subject) -> Bool {
    (one.kind.rawValue, one.name, one.key) < (other.kind.rawValue, other.name, other.key)
  }
}
