import MohoStore
import MohoTesting
import Testing

@testable import MohoResults

@Suite struct RowHistoryTests {
  private func write(
    _ rows: [Int64: (UInt64?, UInt64?)]
  ) -> TouchedRows {
    func held(_ value: UInt64?) -> WrittenRows.Before { value.map { .row([$0]) } ?? .absent }
    var touched = TouchedRows()
    touched.written = rows.mapValues { WrittenRow(before: held($0.0), after: held($0.1)) }
    return touched
  }

  @Test func aRowThatChangedIsNoLongerWhatItWas() {
    var history = RowHistory()
    history.begin(0)
    history.note(write([1: (5, 6)]), generation: 1)

    #expect(!history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(history.isUnchanged(1, since: 1, readAfter: .max))
    #expect(history.isUnchanged(2, since: 0, readAfter: .max))
  }

  @Test func aRowThatChangedBackIsWhatItWas() {
    var history = RowHistory()
    history.begin(0)
    history.note(write([1: (5, 6)]), generation: 1)
    history.note(write([1: (6, nil)]), generation: 2)
    history.note(write([1: (nil, 5)]), generation: 3)

    #expect(history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(!history.isUnchanged(1, since: 1, readAfter: .max))
    #expect(
      history.changes(since: 1, upTo: 3)?.contents[1]?.row
        == WrittenRow(before: .row([6]), after: .row([5])))
    #expect(
      history.changes(since: 0, upTo: 2)?.contents[1]?.row
        == WrittenRow(before: .row([5]), after: .absent))
  }

  @Test func whatANewRowHeldIsLearnedWhenItIsWrittenAgain() {
    var history = RowHistory()
    history.begin(0)
    var touched = TouchedRows()
    touched.written[1] = WrittenRow(before: .absent, after: .unknown)
    history.note(touched, generation: 1)
    history.begin(1)
    history.note(write([1: (5, 6)]), generation: 2)
    history.note(write([1: (6, 5)]), generation: 3)

    #expect(history.isUnchanged(1, since: 1, readAfter: 3))
    #expect(!history.isUnchanged(1, since: 2, readAfter: 3))
    #expect(
      history.changes(since: 1, upTo: 2)?.contents[1]?.row
        == WrittenRow(before: .row([5]), after: .row([6])))
  }

  @Test func aRowThatWasReadWhileItChangedForthAndBackIsNotTrusted() {
    var history = RowHistory()
    history.begin(0)
    history.note(write([1: (5, 6)]), generation: 1)
    history.note(write([1: (6, 5)]), generation: 2)

    // Read in the state of 0, 1 or 2: nobody knows which.
    #expect(!history.isUnchanged(1, since: 0, readAfter: 0))
    #expect(!history.isUnchanged(1, since: 0, readAfter: 1))
    #expect(history.isUnchanged(1, since: 0, readAfter: 2))
    #expect(history.isUnchanged(1, since: 2, readAfter: 0))
  }

  @Test func otherRowsChangeARowThatWasNotWritten() {
    var history = RowHistory()
    history.begin(0)
    var touched = TouchedRows()
    touched.related[1] = ["shelf"]
    touched.led = [2]
    history.note(touched, generation: 1)

    #expect(!history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(history.isUnchanged(2, since: 0, readAfter: .max))
    let changes = history.changes(since: 0, upTo: 1)
    #expect(changes?.contents[1]?.related == ["shelf"])
    #expect(changes?.contents[1]?.row == nil)
    #expect(changes?.led == [2])
  }

  @Test func aLinkThatWasAwayIsAChangeOfItsKey() {
    var history = RowHistory()
    history.begin(0)
    for generation in 1...2 {
      var touched = write([1: generation == 1 ? (5, 6) : (6, 5)])
      touched.relinked[1] = ["shelf"]
      history.note(touched, generation: generation)
      history.begin(generation)
    }

    #expect(!history.isUnchanged(1, since: 0, readAfter: .max))
    #expect(history.changes(since: 0, upTo: 2)?.contents[1]?.related == ["shelf"])
    #expect(history.isUnchanged(1, since: 2, readAfter: .max))
  }

  @Test func keysThatMayHaveChangedInAnyRowAreKnown() {
    var history = RowHistory()
    history.begin(0)
    var touched = write([1: (5, 6)])
    touched.unknownKeys = ["shelf"]
    history.note(touched, generation: 1)
    history.begin(1)

    #expect(!history.isUnchanged(9, since: 0, readAfter: .max))
    #expect(history.isUnchanged(9, since: 1, readAfter: .max))
    let changes = history.changes(since: 0, upTo: 1)
    #expect(changes?.unknownKeys == ["shelf"])
    #expect(changes?.contents.count == 1)
    #expect(history.changes(since: 1, upTo: 1)?.unknownKeys == [])
  }

  @Test func aRowThatIsBackAmongManyNewOnesIsNotTrusted() {
    var history = RowHistory()
    history.begin(0)
    history.note(write([1: (5, nil)]), generation: 1)
    var touched = TouchedRows()
    touched.newRows.append(1)
    history.note(touched, generation: 2)
    history.begin(2)
    history.note(write([1: (7, nil)]), generation: 3)
    history.note(touched, generation: 4)

    #expect(!history.isUnchanged(1, since: 2, readAfter: .max))
    #expect(
      history.changes(since: 2, upTo: 3)?.contents[1]?.row
        == WrittenRow(before: .row([7]), after: .absent))
  }

  @Test func statesThatAreTooOldKnowNothing() {
    var history = RowHistory(limit: 3)
    for generation in 0...4 { history.begin(generation) }
    for generation in 1...4 {
      history.note(write([Int64(generation): (1, 2)]), generation: generation)
    }

    #expect(!history.isUnchanged(9, since: 0, readAfter: .max))
    #expect(history.changes(since: 3, upTo: 4) == nil)
    #expect(history.isUnchanged(4, since: 4, readAfter: .max))
  }

  /// Random changes under states that come and go: what is told is what keeping
  /// all states would tell.
  @Test func historiesTellWhatKeepingAllStatesWouldTell() {
    var generator = SeededGenerator(seed: 3)
    for round in 0..<300 {
      var history = RowHistory()
      var states: [[Int64: UInt64]] = [[1: 1, 2: 1, 3: 1]]
      var living: Set<Int> = [0]
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
        history.note(write(rows), generation: generation)
        history.begin(generation)
        living.insert(generation)
        for old in living where old < generation && generator.oneIn(4) {
          history.end(old)
          living.remove(old)
        }
        for old in living {
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
