import MohoMapping

/// What is written to a store to save a context, in order: a value, made of the
/// context's rows alone.
struct ContextPlan: Sendable {
  /// A row to be updated, inserted or deleted.
  struct Row: Sendable {
    let handle: Int
    let entity: Int
    let identity: RowIdentity
    /// What was read of it, and what it is to be.
    let old: [CellValue]
    let new: [CellValue]
    /// The positions of the columns to write.
    let columns: [Int]
  }

  /// A change of a row that the store has.
  enum Step: Sendable {
    case update(Row)
    case delete(Row)

    var row: Row {
      switch self {
      case .update(let row), .delete(let row): row
      }
    }
  }

  /// A link in a table of links.
  struct TableLink: Sendable {
    let table: LinkTable
    let source: RowIdentity
    let target: RowIdentity
  }

  /// The place of a row in an order.
  struct Place: Sendable {
    enum Column: Sendable {
      /// A column of the entity's table.
      case entity(Int, String)
      /// A column of a table of links, for the row of an owner.
      case table(LinkTable, end: LinkTable.End, owner: RowIdentity)
    }

    let column: Column
    let row: RowIdentity
    let position: Int64
  }

  /// The identities of new rows.
  var identities: [Int: RowIdentity] = [:]
  var unlinks: [TableLink] = []
  /// Updates and deletions in an order in which no constraint gets in the way.
  var steps: [Step] = []
  var inserts: [Row] = []
  var links: [TableLink] = []
  var places: [Place] = []
  /// The positions that the members of orders have then.
  var positions: [MembersKey: [Int64?]] = [:]
}

/// Gives the members of an order positions, so that few are written: those that
/// ascend already stay.
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
