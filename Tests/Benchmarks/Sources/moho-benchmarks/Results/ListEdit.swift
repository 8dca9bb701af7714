import CFloors
import GRDB
import MohoChanges
import MohoResults
import MohoRows
import MohoSQLite
import MohoTesting

/// A write of one row of a list.
struct ListEdit {
  /// The effect of the write on the list.
  enum Kind: String, CaseIterable {
    case content
    case nearMove = "near move"
    case farMove = "far move"
    case section = "other section"
    case insert
    case delete

    /// A statement with two parameters: the row ID and a number.
    var sql: String {
      switch self {
      case .content:
        #"UPDATE "ListedEpisode" SET "title" = 'Episode, take ' || ?2 WHERE "id" = ?1"#
      case .nearMove, .farMove:
        #"UPDATE "ListedEpisode" SET "publishedAt" = ?2 WHERE "id" = ?1"#
      case .section: #"UPDATE "ListedEpisode" SET "show" = ?2 WHERE "id" = ?1"#
      case .insert:
        #"INSERT INTO "ListedEpisode" (\#(EpisodeList.columns)) "#
          + #"SELECT ?1, "show", "title", "summary", "url", ?2, "duration", "season" "#
          + #"FROM "ListedEpisode" WHERE "id" = 1"#
      case .delete: #"DELETE FROM "ListedEpisode" WHERE "id" = ?1"#
      }
    }
  }

  let kind: Kind
  let row: floor_edit

  var arguments: StatementArguments {
    kind == .delete ? [row.id] : [row.id, row.value]
  }

  /// Returns edits of all kinds in turns, each of a random row. Dates remain
  /// unique.
  static func make(_ count: Int, of kinds: [Kind], in episodes: ListedEpisodes) -> [ListEdit] {
    var generator = SeededGenerator(seed: 7)
    var shows: [Int: Int] = [:]
    func differentShow(_ number: Int, _ round: Int) -> Int {
      let show = shows[number] ?? episodes.show(of: number)
      let other = (show + 1 + round % max(1, episodes.showCount - 1)) % episodes.showCount
      shows[number] = other
      return other
    }
    return (0..<count).flatMap { round in
      kinds.map { kind in
        let number = Int.random(in: 1..<episodes.count, using: &generator)
        let date = episodes.publication(of: number)
        let far = episodes.publication(of: (number + episodes.count / 2) % episodes.count)
        // An offset from the full hour, unique to this round.
        let moment = Double(round * 8 + Kind.allCases.count + 1) / 1_024
        let id = Int64(number + 1)
        let edit: floor_edit =
          switch kind {
          case .content: floor_edit(id: id, value: Double(round))
          case .nearMove: floor_edit(id: id, value: date + 5_400 + moment)
          case .farMove: floor_edit(id: id, value: far + 900 + moment)
          case .section: floor_edit(id: id, value: Double(differentShow(number, round)))
          case .insert:
            floor_edit(id: Int64(episodes.count + 1 + round), value: far + 1_800 + moment)
          case .delete: floor_edit(id: Int64(episodes.count + 1 + round), value: 0)
          }
        return ListEdit(kind: kind, row: edit)
      }
    }
  }
}

extension ModelStore {
  /// Writes one row with a cached statement, the fastest way in GRDB.
  func write(_ edit: ListEdit) throws {
    try writer.write { database in
      try database.cachedStatement(sql: edit.kind.sql).execute(arguments: edit.arguments)
    }
  }
}
