import Foundation
import GRDB
import GRDBSQLite
import MohoRows

/// The steps that SQLite takes to run a statement.
struct QueryPlan {
  struct Step {
    let id: Int
    let parent: Int
    let detail: String
  }

  let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// The steps as text. Nested steps are indented.
  var lines: [String] {
    var depths: [Int: Int] = [:]
    return steps.map { step in
      let depth = depths[step.parent].map { $0 + 1 } ?? 0
      depths[step.id] = depth
      return String(repeating: "  ", count: depth) + step.detail
    }
  }

  /// The names of the indexes that are used, without duplicates.
  var indexes: [String] {
    var names: [String] = []
    for step in steps {
      for mark in ["USING COVERING INDEX ", "USING INDEX "] {
        guard let range = step.detail.range(of: mark) else { continue }
        // Index names of Moho contain parentheses. The conditions follow in
        // parentheses after a space.
        let rest = step.detail[range.upperBound...]
        let name = rest.range(of: " (").map { rest[..<$0.lowerBound] } ?? rest
        if !names.contains(String(name)) { names.append(String(name)) }
      }
    }
    return names
  }

  /// Whether SQLite reads all rows of a table, or sorts rows.
  func lacksIndex(on alias: String) -> Bool {
    steps.contains {
      $0.detail == "SCAN \(alias)" || $0.detail.hasPrefix("USE TEMP B-TREE FOR")
    }
  }
}

extension QueryPlan {
  /// Creates SQLite's plan for a statement. The values of parameters do not
  /// affect the plan.
  init(of sql: String, _ database: Database) throws {
    var steps: [QueryPlan.Step] = []
    try PreparedStatement(database, "EXPLAIN QUERY PLAN " + sql).forEachRow { statement in
      steps.append(
        QueryPlan.Step(
          id: Int(sqlite3_column_int64(statement, 0)),
          parent: Int(sqlite3_column_int64(statement, 1)),
          detail: SQLiteValue(statement, 3).string ?? ""))
    }
    self.init(steps)
  }
}
