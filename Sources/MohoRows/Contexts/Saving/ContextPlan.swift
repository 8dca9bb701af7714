import MohoMapping

/// The writes that save a context, in order. The plan is a value that depends
/// only on the rows of the context.
package struct ContextPlan: Sendable {
  /// A row to update, insert or delete.
  package struct Row: Sendable {
    package let handle: Int
    package let entity: Int
    package let identity: RowIdentity
    /// The values that were read, and the values to write.
    package let old: [CellValue]
    package let new: [CellValue]
    /// The indexes of the columns to write.
    package let columns: [Int]
    /// The columns that refer to deleted rows.
    let cleared: ClearedLinks

    package init(
      handle: Int, entity: Int, identity: RowIdentity, old: [CellValue], new: [CellValue],
      columns: [Int], cleared: ClearedLinks = .none
    ) {
      self.handle = handle
      self.entity = entity
      self.identity = identity
      self.old = old
      self.new = new
      self.columns = columns
      self.cleared = cleared
    }

    /// Returns the update that sets some columns to null.
    func releasing(_ columns: [Int]) -> Row {
      Row(
        handle: handle, entity: entity, identity: identity, old: old,
        new: old.replacing(columns, with: \.null), columns: columns, cleared: cleared)
    }
  }

  /// A change of a stored row.
  package enum Step: Sendable {
    case update(Row)
    case delete(Row)

    var row: Row {
      switch self {
      case .update(let row), .delete(let row): row
      }
    }
  }

  /// A link in a link table.
  package struct TableLink: Sendable {
    package let table: LinkTable
    package let source: RowIdentity
    package let target: RowIdentity
  }

  /// A new position of a row in an ordered relationship.
  package struct PositionUpdate: Sendable {
    package enum Column: Sendable {
      /// The position column of an entity's table.
      case entity(Int, String)
      /// The position column of a link table, for the links of an owner.
      case table(LinkTable, end: LinkTable.End, owner: RowIdentity)
    }

    package let column: Column
    package let row: RowIdentity
    package let position: Int64
  }

  /// A link between two rows that are deleted. Removing it first breaks a cycle
  /// of rules.
  package struct SeveredLink: Sendable {
    let relationship: CompiledRelationship
    let row: RowIdentity
    let related: RowIdentity
  }

  /// The identities of new rows.
  var identities: [Int: RowIdentity] = [:]
  /// Conflicts that were found before the plan was made. Nothing is written.
  var conflicts: [SaveConflict] = []
  /// Deleted rows that the store retains.
  var restored: Set<Int> = []
  package var unlinks: [TableLink] = []
  package var severed: [SeveredLink] = []
  /// The relationships whose rules do not deny deletions while the plan runs.
  package var suspended: [CompiledRelationship] = []
  /// The rows whose unique values are set to null first, because other rows take
  /// the values before these rows receive theirs.
  package var releases: [Row] = []
  /// Updates and deletions, in an order that satisfies all constraints. Those of one stage do
  /// not depend on each other, so that they can be executed together.
  package var stages: [[Step]] = []
  package var inserts: [Row] = []
  package var links: [TableLink] = []
  package var positionUpdates: [PositionUpdate] = []
  /// The new positions of the members of ordered relationships.
  var positions: [MembersKey: [Int64?]] = [:]

  /// Updates and deletions of all stages.
  var steps: [Step] { stages.flatMap { $0 } }
}

/// Returns ascending positions for members. Members whose positions already
/// ascend keep them, so that few positions are written.
func ascendingPositions(of members: [Int], stored: [Int: Int64]) -> [Int64] {
  var positions: [Int64] = []
  positions.reserveCapacity(members.count)
  var last: Int64 = -1
  for member in members {
    if let position = stored[member], position > last {
      last = position
    } else {
      let (next, isOver) = last.addingReportingOverflow(1)
      if isOver { return members.indices.map { Int64($0) } }
      last = next
    }
    positions.append(last)
  }
  return positions
}
