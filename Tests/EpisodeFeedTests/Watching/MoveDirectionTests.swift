import Moho
import Testing

@testable import EpisodeFeed

@Suite struct MoveDirectionTests {
  @Test func aRowMovesUpOrDownRelativeToUnmovedRows() {
    let rows: [Int64] = [1, 2, 3, 4, 5, 6]
    for from in rows.indices {
      for to in rows.indices where to != from {
        for (added, removed) in [(0, 0), (3, 0), (0, 1), (4, 2)] {
          var moved = rows
          moved.remove(at: from)
          moved.insert(rows[from], at: to)
          let old = OrderedIndex(rowIDs: (0..<removed).map { 100 + Int64($0) } + rows)
          let new = OrderedIndex(rowIDs: (0..<added).map { 200 + Int64($0) } + moved)
          let changes = ChangeSet(from: old, to: new, changedKeys: [rows[from]: []]).rows

          let directions = MoveDirections(changes, from: old, to: new)

          let scenario = "\(from) to \(to), \(added) inserted and \(removed) deleted above"
          for change in changes where change.rowID == rows[from] {
            #expect(change.isMove, "\(scenario)")
            #expect(directions.isUp(change) == (to < from), "\(scenario)")
          }
        }
      }
    }
  }
}
