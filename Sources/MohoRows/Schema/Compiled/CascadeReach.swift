import MohoMapping

/// What the cascades between entities mean for deletions.
struct CascadeReach {
  /// For each entity, whether the database cannot delete its rows alone.
  let needsSteps: [Bool]
  /// Whether triggers follow cascades that lead back to their own table.
  let hasRecursiveTriggers: Bool

  init(_ entities: [CompiledEntity]) {
    let next = entities.map { entity in
      entity.relationships.filter { $0.deleteRule == .cascade }.map(\.destination)
    }
    let reached = entities.indices.map { start in
      var found: Set<Int> = []
      var pending = next[start]
      while let entity = pending.popLast() {
        if found.insert(entity).inserted { pending += next[entity] }
      }
      return found
    }
    needsSteps = entities.indices.map { start in
      reached[start].union([start]).contains { entity in
        reached[entity].contains(entity)
          || entities[entity].relationships.contains { $0.needsOtherRowsFirst }
      }
    }
    hasRecursiveTriggers = entities.contains { entity in
      entity.relationships.contains { relationship in
        relationship.needsDeleteTrigger && Self.isRecursive(relationship, reached)
      }
    }
  }
}

extension CompiledRelationship {
  /// Whether related rows have to be deleted before a row, or deny its deletion.
  ///
  /// Links in tables are deleted with the row. A trigger that follows them before
  /// must not change the row, because SQLite would then count wrong references.
  fileprivate var needsOtherRowsFirst: Bool {
    switch (deleteRule, storage) {
    case (.deny, _), (.cascade, .table): true
    default: false
    }
  }
}

extension CascadeReach {
  /// Whether cascades that start with a relationship lead back to it.
  private static func isRecursive(
    _ relationship: CompiledRelationship, _ reached: [Set<Int>]
  ) -> Bool {
    let (start, end) = (relationship.entity, relationship.destination)
    return relationship.deleteRule == .cascade && (start == end || reached[end].contains(start))
  }
}

extension CompiledSchema {
  /// Whether a ``RowDeleter`` must delete the rows of an entity.
  ///
  /// The database follows cascades row by row, up to a depth, and denies the
  /// deletion of a row even if the same statement deletes the row that it
  /// protects later.
  package func needsDeleter(_ entity: CompiledEntity) -> Bool {
    cascades.needsSteps[entity.index]
  }

  /// Whether triggers follow cascades that lead back to their own table.
  package var hasRecursiveTriggers: Bool { cascades.hasRecursiveTriggers }
}
