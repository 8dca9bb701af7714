import MohoMapping

/// The resolution of a conflict.
enum Resolution: Equatable {
  /// The conflict is reported.
  case conflict(SaveConflict)
  /// The row takes these values. The values that differ from the store are
  /// written.
  case write([CellValue])
  /// The row keeps the values of the store, so nothing is written.
  case keepTheirs
  /// The row is deleted in the context too.
  case discard
  /// The row is inserted again.
  case insertAgain
  /// The row is deleted.
  case delete
}

/// Resolves conflicts with stores and with parent contexts. The resolution
/// depends only on the arguments.
struct ConflictResolver {
  let policy: ConflictPolicy

  init(policy: ConflictPolicy) { self.policy = policy }

  /// - Parameters:
  ///   - row: The row.
  ///   - keys: The names of its columns.
  ///   - old: The values that were read.
  ///   - mine: The values to write, or nil to delete the row.
  ///   - theirs: The current values, or nil if the row was deleted.
  func resolution(
    of row: RowIdentity, keys: [String], old: [CellValue], mine: [CellValue]?,
    theirs: [CellValue]?
  ) -> Resolution {
    guard let theirs else {
      guard mine != nil else { return .discard }
      return switch policy {
      case .error, .perKey: .conflict(SaveConflict(row: row, kind: .deleted, keys: []))
      case .storeWins: .discard
      case .contextWins: .insertAgain
      }
    }
    if theirs == old { return mine.map { .write($0) } ?? .delete }
    let differing = keys.indices.filter { old[$0] != theirs[$0] }
    let conflicts = differing.map { index in
      KeyConflict(
        row: row, key: keys[index], old: old[index].content,
        mine: (mine ?? old)[index].content, theirs: theirs[index].content)
    }
    guard let mine else {
      return switch policy {
      case .error: .conflict(SaveConflict(row: row, kind: .changed, keys: conflicts))
      case .storeWins: .keepTheirs
      case .contextWins, .perKey: .delete
      }
    }
    switch policy {
    case .error: return .conflict(SaveConflict(row: row, kind: .changed, keys: conflicts))
    case .storeWins: return .keepTheirs
    case .contextWins: return .write(mine)
    case .perKey(let choose):
      var merged = mine
      for (index, conflict) in zip(differing, conflicts) {
        let isMine = mine[index] != old[index]
        if !isMine || (mine[index] != theirs[index] && choose(conflict) == .theirs) {
          merged[index] = theirs[index]
        }
      }
      return .write(merged)
    }
  }
}
