import Fixtures
import Foundation
import MohoMapping
import MohoRows
import StoreTesting
import Testing

@Suite(.allEngines) struct SavePlanTests {
  let store: ModelStore

  init() throws {
    store = try emptyStore(Series.self, Episode.self)
    try store.write { writer in
      try writer.save([
        Series(
          id: 1, title: "One", parts: [Part(code: "a", title: "A"), Part(code: "b", title: "B")],
          guests: [Guest(name: "Inge")])
      ])
    }
  }

  var changed: Series {
    get throws {
      Series(
        id: 1, title: "Uno",
        parts: [Part(code: "b", title: "B"), Part(code: "c", title: "C", notes: ["x"])],
        opening: try ModelReference(key: "a"), guests: [Guest(name: "Andrija", town: "Volosko")])
    }
  }

  @Test func aPlanSaysWhatWouldBeWritten() throws {
    let before = try store.dump()

    let plan = try store.plan(saving: [changed, Series(id: 2, title: "Two")])

    #expect(try store.dump() == before)
    #expect(
      plan.description == """
        insert `Series` 2: title "Two"
        insert `Part` "c": title "C", notes "["x"]", show 1, show#position 1
        insert `Guest` "Andrija": town "Volosko"
        update `Series` 1: title "One" -> "Uno", opening null -> "a"
        update `Part` "a": show 1 -> null, show#position 0 -> null
        update `Part` "b": show#position 1 -> 0
        link `Series.guests`: `Series` 1 -> `Guest` "Andrija"
        unlink `Series.guests`: `Series` 1 -> `Guest` "Inge"
        unchanged: 1 row
        """)
  }

  @Test func aPlanIsCarriedOutOnce() throws {
    let plan = try store.plan(saving: [changed])

    let report = try store.apply(plan)

    #expect(report.inserted == 2)
    #expect(try store.plan(saving: [changed]).isEmpty)
    let error = #expect(throws: StoreError.self) { try store.apply(plan) }
    #expect(error?.code == .planOutdated)
  }

  @Test(arguments: [
    ("UPDATE \"Series\" SET title = 'other'", true),
    ("UPDATE \"Part\" SET title = 'other' WHERE code = 'b'", true),
    ("DELETE FROM \"Guest\" WHERE name = 'Inge'", true),
    ("INSERT INTO \"Part\" (code, title, notes) VALUES ('c', 'C', '[]')", true),
    ("UPDATE \"Part\" SET \"_moho_position_show\" = 7", true),
    ("INSERT INTO \"Part\" (code, title, notes) VALUES ('other', 'C', '[]')", false),
    ("UPDATE \"Guest\" SET town = 'other'", false),
  ])
  func aPlanIsRefusedWhereItsRowsHaveChanged(sql: String, isOutdated: Bool) throws {
    let plan = try store.plan(saving: [changed])
    try store.execute(sql)
    let before = try store.dump()

    if isOutdated {
      let error = #expect(throws: StoreError.self) { try store.apply(plan) }
      #expect(error?.code == .planOutdated)
      #expect(try store.dump() == before)
    } else {
      try store.apply(plan)
      #expect(try store.fetchFirst(ModelRequest<Series>())?.title == "Uno")
    }
  }

  @Test func aPlanOfWhatIsStoredIsEmpty() throws {
    let stored = try store.fetch(ModelRequest<Series>())

    let plan = try store.plan(saving: stored)

    #expect(plan.isEmpty)
    #expect(plan.description == "unchanged: 4 rows")
  }

  @Test func aPlanInsideATransactionSeesItsChanges() throws {
    try store.write { writer in
      try writer.save(Series(id: 5, title: "Five"))
      let plan = try writer.plan(saving: [Series(id: 5, title: "5")])
      #expect(plan.updates.map { "\($0.changes)" } == [#"[title "Five" -> "5"]"#])
      try writer.apply(plan)
    }

    #expect(try store.fetchFirst(ModelRequest<Series>().filter { $0.id == 5 })?.title == "5")
  }

  @Test func mirroringDeletesTheOthersOfAScope() throws {
    let episodes = (1...20).map { Episode.number($0, season: $0 <= 10 ? 1 : 2) }
    try store.write { try $0.save(episodes) }
    let season = ModelRequest<Episode>().filter { $0.season == 1 }
    let kept = Array(episodes[1..<10]) + [Episode.number(21, season: 1)]

    let plan = try store.plan(saving: kept, mode: .mirror(season, deletingAtMost: 0.1))
    let report = try store.apply(plan)

    #expect(plan.deletes.map(\.row.key) == [.int64(1)])
    #expect(report == SaveReport(inserted: 1, unchanged: 9, deleted: 1))
    #expect(
      try store.fetch(ModelRequest<Episode>().order(by: \.id)).map(\.id) == Array(2...21))
  }

  @Test(arguments: [(0.2, 2, true), (0.2, 3, false), (0, 0, true), (0, 1, false), (.nan, 1, false)])
  func mirroringStopsWhereTooManyWouldGo(fraction: Double, gone: Int, isDone: Bool) throws {
    let episodes = (1...10).map { Episode.number($0) }
    try store.write { try $0.save(episodes) }
    let mode = SaveMode.mirror(ModelRequest<Episode>(), deletingAtMost: fraction)
    let kept = episodes.dropFirst(gone) + [Episode.number(11)]

    if isDone {
      try store.write { try $0.save(kept, mode: mode) }
      #expect(try store.fetch(ModelRequest<Episode>()).map(\.id) == Array((gone + 1)...11))
    } else {
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.save(kept, mode: mode) }
      }
      #expect(error?.code == .tooManyDeletions)
      #expect(error?.reason.hasPrefix("\(gone) of 10 rows would be deleted") == true)
      #expect(try store.fetch(ModelRequest<Episode>()) == episodes)
    }
  }

  @Test func mirroringGraphsDeletesTheOthersToo() throws {
    try store.write { try $0.save([Series(id: 2, title: "Two"), Series(id: 3, title: "Three")]) }

    let report = try store.write {
      try $0.save(
        [Series(id: 2, title: "Two"), Series(id: 4, title: "Four")],
        mode: .mirror(ModelRequest<Series>(), deletingAtMost: 1))
    }

    #expect(report.deleted == 2)
    #expect(try store.fetch(ModelRequest<Series>()).map(\.id) == [2, 4])
    #expect(try store.fetch(ModelRequest<Part>()).map { $0.show == nil } == [true, true])
  }

  @Test func mirroringModelsWithoutAUniqueKeyIsRefused() throws {
    let store = try emptyStore(Note.self)

    let error = #expect(throws: StoreError.self) {
      try store.write {
        try $0.save([Note](), mode: .mirror(ModelRequest(), deletingAtMost: 1))
      }
    }

    #expect(error?.code == .invalidRequest)
  }

  @Test func aPlanOfManyModelsIsCarriedOut() throws {
    let episodes = (1...2_000).map { Episode.number($0) }

    let plan = try store.plan(saving: episodes)

    #expect(plan.inserts.count == 2_000)
    #expect(try store.apply(plan).inserted == 2_000)
  }
}
