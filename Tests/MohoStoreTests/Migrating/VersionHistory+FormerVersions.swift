import MohoRows
import MohoTesting
import Testing

extension VersionHistory {
  /// Opens the store with the declarations of an older version, which become the current
  /// ones if nothing prevents it.
  mutating func openFormerVersion(_ comment: Comment) throws {
    guard !former.isEmpty else { return }
    let version = former[random.below(former.count)]
    let options = MigrationOptions(
      migrations: Array(migrations.prefix(version.migrationCount)),
      version: isNumbered ? version.number : 0)
    let current = self
    let isNewer = isNumbered || migrations.count > version.migrationCount
    let obstacle = isNewer ? .newer : self.obstacle(for: version)
    (kinds, isRenamed) = (version.kinds, version.isRenamed)
    let before = try database.contents()
    do {
      try withModel { model in
        try expectDocuments(database.open(model, with: options), model, comment)
      }
      #expect(obstacle == nil || obstacle == .unknown, comment)
      counts.reopened += 1
    } catch let error as StoreError {
      (kinds, isRenamed) = (current.kinds, current.isRenamed)
      let codes: [StoreError.Code] =
        switch obstacle {
        case .newer: [.newerVersion]
        case .loss: [.wouldLoseData, .incompatibleSchema]
        case .type, .unknown: [.incompatibleSchema]
        case nil: []
        }
      #expect(codes.contains(error.code), "\(comment): \(error)")
      #expect(try database.contents() == before, comment)
      counts.refused += 1
    }
  }

  /// Why a version cannot read all values.
  private enum Obstacle { case newer, loss, type, unknown }

  private func obstacle(for version: FormerVersion) -> Obstacle? {
    var found: [Obstacle] = []
    for slot in kinds.indices {
      let values = documents.values.compactMap { Self.value(slot, in: $0) }
      let (old, new) = (kinds[slot], version.kinds[slot])
      if old == .undeclared {
        if new != .undeclared, !values.allSatisfy(new.reads) { found.append(.loss) }
      } else if new == .undeclared || isRenamed[slot] != version.isRenamed[slot] {
        if !values.isEmpty { found.append(.loss) }
      } else if old != new {
        found.append(values.isEmpty ? .unknown : .type)
      }
    }
    return found.contains(.type) ? .type : found.contains(.loss) ? .loss : found.first
  }
}
