import Foundation
import MohoMapping
import MohoRows
import Testing

/// Net changes, without a database.
@Suite struct HistoryChangesTests {
  private static let date = Date(timeIntervalSince1970: 0)

  private static func change(
    _ kind: HistoryChange.Kind, _ keys: Set<String>? = nil, id: Int64 = 1, day: Int = 0
  ) -> HistoryChange {
    HistoryChange(
      row: RowIdentity(entity: "Episode", stored: id), key: .int64(id), kind: kind,
      changedKeys: keys, date: date.addingTimeInterval(Double(day) * 86_400))
  }

  private static func net(_ changes: [HistoryChange]) -> HistoryChanges {
    HistoryChanges(
      changes.enumerated().map { number, change in
        HistoryTransaction(
          token: HistoryToken(history: "", sequence: Int64(number), time: 0), date: date,
          author: nil, changes: [change])
      })
  }

  static let pairs: [(HistoryChange, HistoryChange, HistoryChange?)] = [
    (change(.inserted), change(.updated, ["a"]), change(.inserted)),
    (change(.inserted), change(.deleted), nil),
    (change(.inserted), change(.inserted), change(.inserted)),
    (change(.updated, ["a"]), change(.updated, ["b"]), change(.updated, ["a", "b"])),
    (change(.updated, ["a"]), change(.updated), change(.updated)),
    (change(.updated), change(.updated, ["a"]), change(.updated)),
    (change(.updated, ["a"]), change(.deleted), change(.deleted)),
    (change(.updated, ["a"]), change(.inserted), change(.updated)),
    (change(.deleted), change(.inserted), change(.updated)),
    (change(.deleted), change(.updated, ["a"]), change(.updated)),
    (change(.deleted), change(.deleted), change(.deleted)),
  ]

  @Test(arguments: pairs)
  func twoChangesHaveANetChange(
    _ first: HistoryChange, _ second: HistoryChange, _ expected: HistoryChange?
  ) {
    #expect(Self.net([first, second]).rows == [expected].compactMap { $0 })
    #expect(Self.net([first, second]).isEmpty == (expected == nil))
  }

  /// A pure model: the set of keys that differ, for a row that exists or not.
  @Test func netChangesAreAssociative() {
    let kinds = [
      Self.change(.inserted), Self.change(.updated, ["a"]), Self.change(.updated, ["b"]),
      Self.change(.deleted),
    ]
    for start in [true, false] {
      for number in 0..<256 {
        var (exists, keys, rest) = (start, Optional(Set<String>()), number)
        var changes: [HistoryChange] = []
        for _ in 0..<4 {
          let change = kinds[rest % 4]
          rest /= 4
          guard (change.kind == .inserted) != exists else { continue }
          changes.append(change)
          if change.kind == .updated {
            keys = keys.flatMap { keys in change.changedKeys.map { keys.union($0) } }
          } else {
            exists.toggle()
            keys = nil
          }
        }
        let expected: HistoryChange? =
          switch (start, exists) {
          case (false, false): nil
          case (false, true): Self.change(.inserted)
          case (true, false): Self.change(.deleted)
          case (true, true): keys == [] ? nil : Self.change(.updated, keys)
          }
        #expect(Self.net(changes).rows == [expected].compactMap { $0 }, "\(changes)")
      }
    }
  }

  @Test func rowsAreInTheOrderOfTheirFirstChanges() {
    let changes = Self.net([
      Self.change(.inserted, id: 3), Self.change(.updated, ["title"], id: 1),
      Self.change(.inserted, id: 2), Self.change(.deleted, id: 3),
      Self.change(.updated, ["season", "title"], id: 1, day: 2), Self.change(.deleted, id: 4),
      Self.change(.inserted, id: 3, day: 5),
    ])

    #expect(
      changes.description == """
        update `Episode` 1: season, title
        insert `Episode` 2
        delete `Episode` 4
        insert `Episode` 3
        """)
    #expect(
      changes.rows.map(\.date) == [2, 0, 0, 5].map { Self.date.addingTimeInterval($0 * 86_400) })
    #expect(changes.token?.sequence == 6)
    #expect(changes.rows(of: "Podcast") == [])
    #expect(changes[.of(2) as ModelReference<RecordedEpisode>]?.kind == .inserted)
    #expect(changes[.of(9) as ModelReference<RecordedEpisode>] == nil)
    #expect(changes.rows[0].reference(to: RecordedEpisode.self) == .of(1))
    #expect(changes.rows[0].reference(to: RecordedShow.self) == nil)
    #expect(HistoryChanges().isEmpty && HistoryChanges().token == nil)
    #expect(Set([changes, changes]).count == 1)
  }

  @Test func keysAreComparedByTheirBytes() {
    let changes = ["\u{E9}", "e\u{301}"].map { key in
      HistoryChange(
        row: RowIdentity(entity: "Tag", stored: 1), key: .string(key), kind: .inserted,
        date: Self.date)
    }
    #expect(Self.net(changes).rows.count == 2)
  }

  @Test func rowsWithoutAKeyAreIdentifiedByTheirRow() {
    let changes = (1...2).map { row in
      HistoryChange(
        row: RowIdentity(entity: "Tag", stored: row), key: .null, kind: .inserted, date: Self.date)
    }
    #expect(Self.net(changes).description == "insert `Tag` 1\ninsert `Tag` 2")
  }
}
