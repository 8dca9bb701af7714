import MohoRows
import MohoSQLite
import MohoTesting
import Testing

@testable import MohoResults

@Suite struct RowHistoryTests {
  private func write(
    _ rows: [Int64: (UInt64?, UInt64?)]
  ) -> TouchedRows {
    func content(_ value: UInt64?) -> RowWriteSet.RecordedRow {
      value.map { .row([$0]) } ?? .absent
    }
    var touched = TouchedRows()
    touched.writtenRows = rows.mapValues { RowDelta(before: content($0.0), after: content($0.1)) }
    return touched
  }

  @Test func aChangedRowDiffersFromEarlierStates() {
    var history = RowHistory()
    history.begin(0)
    history.record(write([1: (5, 6)]), generation: 1)

    #expect(!history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(history.isUnchanged(1, since: 1, readAfter: .max))
    #expect(history.isUnchanged(2, since: 0, readAfter: .max))
  }

  @Test func aRowThatChangedBackEqualsTheEarlierState() {
    var history = RowHistory()
    history.begin(0)
    history.record(write([1: (5, 6)]), generation: 1)
    history.record(write([1: (6, nil)]), generation: 2)
    history.record(write([1: (nil, 5)]), generation: 3)

    #expect(history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(!history.isUnchanged(1, since: 1, readAfter: .max))
    #expect(
      history.changes(since: 1, upTo: 3)?.contents[1]?.row
        == RowDelta(before: .row([6]), after: .row([5])))
    #expect(
      history.changes(since: 0, upTo: 2)?.contents[1]?.row
        == RowDelta(before: .row([5]), after: .absent))
  }

  @Test func theContentOfANewRowIsKnownOnceItIsWrittenAgain() {
    var history = RowHistory()
    history.begin(0)
    var touched = TouchedRows()
    touched.writtenRows[1] = RowDelta(before: .absent, after: .unknown)
    history.record(touched, generation: 1)
    history.begin(1)
    history.record(write([1: (5, 6)]), generation: 2)
    history.record(write([1: (6, 5)]), generation: 3)

    #expect(history.isUnchanged(1, since: 1, readAfter: 3))
    #expect(!history.isUnchanged(1, since: 2, readAfter: 3))
    #expect(
      history.changes(since: 1, upTo: 2)?.contents[1]?.row
        == RowDelta(before: .row([5]), after: .row([6])))
  }

  @Test func aRowReadWhileItChangedAndChangedBackIsNotTrusted() {
    var history = RowHistory()
    history.begin(0)
    history.record(write([1: (5, 6)]), generation: 1)
    history.record(write([1: (6, 5)]), generation: 2)

    // The row may have been read in state 0, 1 or 2.
    #expect(!history.isUnchanged(1, since: 0, readAfter: 0))
    #expect(!history.isUnchanged(1, since: 0, readAfter: 1))
    #expect(history.isUnchanged(1, since: 0, readAfter: 2))
    #expect(history.isUnchanged(1, since: 2, readAfter: 0))
  }

  @Test func relatedRowsChangeARowThatWasNotWritten() {
    var history = RowHistory()
    history.begin(0)
    var touched = TouchedRows()
    touched.relatedKeys[1] = ["shelf"]
    touched.relatedMoveCandidates = [2]
    history.record(touched, generation: 1)

    #expect(!history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(history.isUnchanged(2, since: 0, readAfter: .max))
    let changes = history.changes(since: 0, upTo: 1)
    #expect(changes?.contents[1]?.related == ["shelf"])
    #expect(changes?.contents[1]?.row == nil)
    #expect(changes?.relatedMoveCandidates == [2])
  }

  @Test func relatedMovesAfterAStateAreNotCandidatesForIt() {
    func related(_ rowID: Int64) -> TouchedRows {
      var touched = TouchedRows()
      touched.relatedMoveCandidates = [rowID]
      return touched
    }
    var history = RowHistory()
    history.begin(0)
    history.record(related(1), generation: 1)
    // Changes no visible row.
    history.record(related(2), generation: 1, isNew: false)
    history.record(related(3), generation: 2)
    history.record(related(1), generation: 3)

    #expect(history.changes(since: 0, upTo: 1)?.relatedMoveCandidates == [1])
    #expect(history.changes(since: 0, upTo: 2)?.relatedMoveCandidates == [1, 2, 3])
    #expect(history.changes(since: 1, upTo: 2)?.relatedMoveCandidates == [3])
    #expect(history.changes(since: 2, upTo: 3)?.relatedMoveCandidates == [1])
  }

  @Test func aTemporarilyRemovedLinkChangesItsKey() {
    var history = RowHistory()
    history.begin(0)
    for generation in 1...2 {
      var touched = write([1: generation == 1 ? (5, 6) : (6, 5)])
      touched.relinkedKeys[1] = ["shelf"]
      history.record(touched, generation: generation)
      history.begin(generation)
    }

    #expect(!history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(history.changes(since: 0, upTo: 2)?.contents[1]?.related == ["shelf"])
    #expect(history.isUnchanged(1, since: 2, readAfter: .max))
  }

  @Test func keysOfUnknownRowsChangeEveryRow() {
    var history = RowHistory()
    history.begin(0)
    var touched = write([1: (5, 6)])
    touched.keysOfUnknownRows = ["shelf"]
    history.record(touched, generation: 1)
    history.begin(1)

    #expect(!history.isUnchanged(9, since: 0, readAfter: .max))
    #expect(history.isUnchanged(9, since: 1, readAfter: .max))
    let changes = history.changes(since: 0, upTo: 1)
    #expect(changes?.keysOfUnknownRows == ["shelf"])
    #expect(changes?.contents.count == 1)
    #expect(history.changes(since: 1, upTo: 1)?.keysOfUnknownRows == [])
  }

  @Test func aRowReinsertedAmongManyNewOnesIsNotTrusted() {
    var history = RowHistory()
    history.begin(0)
    history.record(write([1: (5, nil)]), generation: 1)
    var touched = TouchedRows()
    touched.newRows.append(1)
    history.record(touched, generation: 2)
    history.begin(2)
    history.record(write([1: (7, nil)]), generation: 3)
    history.record(touched, generation: 4)

    #expect(!history.isUnchanged(1, since: 2, readAfter: .max))
    #expect(
      history.changes(since: 2, upTo: 3)?.contents[1]?.row
        == RowDelta(before: .row([7]), after: .absent))
  }

  @Test func theHistoryForgetsStatesBeyondItsLimit() {
    var history = RowHistory(limit: 3)
    for generation in 0...4 { history.begin(generation) }
    for generation in 1...4 {
      history.record(write([Int64(generation): (1, 2)]), generation: generation)
    }

    #expect(!history.isUnchanged(9, since: 0, readAfter: .max))
    #expect(history.changes(since: 3, upTo: 4) == nil)
    #expect(history.isUnchanged(4, since: 4, readAfter: .max))
  }

  @Test func aCommitThatMovesMoreRowsThanTheLimitIsNotRecorded() {
    var history = RowHistory(limit: 3)
    history.begin(0)
    var touched = TouchedRows()
    touched.relatedMoveCandidates = [1, 2, 3, 4]
    history.record(touched, generation: 1)

    #expect(history.changes(since: 0, upTo: 1) == nil)
    #expect(history.changes(since: 1, upTo: 1) != nil)
  }

  @Test func removedLinksCountAsRecordedChanges() {
    var history = RowHistory(limit: 3)
    history.begin(0)
    for generation in 1...2 {
      var touched = write([Int64(generation): (5, 6)])
      touched.relinkedKeys[Int64(generation)] = ["shelf"]
      history.record(touched, generation: generation)
    }

    #expect(history.changes(since: 1, upTo: 2) == nil)
  }

  @Test func remainingKeysOfRelatedRowsCountAfterAStateHasEnded() {
    var history = RowHistory(limit: 3)
    var touched = TouchedRows()
    touched.relatedKeys[1] = ["shelf"]
    history.begin(0)
    for generation in 1...2 {
      history.record(touched, generation: generation)
      history.begin(generation)
    }
    history.end(0)
    #expect(history.changes(since: 1, upTo: 2)?.contents[1]?.related == ["shelf"])

    history.record(touched, generation: 3)

    #expect(history.changes(since: 1, upTo: 3) == nil)
  }

  /// Random changes while states begin and end: the history gives the same answers
  /// as a record of all states.
  @Test func theHistoryEqualsARecordOfAllStates() {
    var generator = SeededGenerator(seed: 3)
    for round in 0..<300 {
      var history = RowHistory()
      var states: [[Int64: UInt64]] = [[1: 1, 2: 1, 3: 1]]
      var inUse: Set<Int> = [0]
      history.begin(0)
      for generation in 1...12 {
        var next = states[generation - 1]
        var rows: [Int64: (UInt64?, UInt64?)] = [:]
        for rowID in [1, 2, 3, 4] as [Int64] where generator.oneIn(3) {
          let value = generator.oneIn(4) ? nil : UInt64(generator.below(3))
          guard next[rowID] != value else { continue }
          rows[rowID] = (next[rowID], value)
          next[rowID] = value
        }
        states.append(next)
        history.record(write(rows), generation: generation)
        history.begin(generation)
        inUse.insert(generation)
        for old in inUse where old < generation && generator.oneIn(4) {
          history.end(old)
          inUse.remove(old)
        }
        for old in inUse {
          for rowID in [1, 2, 3, 4] as [Int64] {
            #expect(
              history.isUnchanged(rowID, since: old, readAfter: .max)
                == (states[old][rowID] == next[rowID]),
              "round \(round), row \(rowID) from \(old) to \(generation)")
          }
        }
      }
    }
  }
}
