import Foundation
import MohoRows

/// The plan of a statement, in the form of `EXPLAIN`.
struct QueryPlan {
  /// The steps as text. Nested steps are indented.
  let lines: [String]

  init(of query: SQLQuery, _ session: PostgresSession) throws {
    let explanation = SQLQuery("EXPLAIN (COSTS OFF) " + query.sql, query.arguments)
    lines = try session.query(explanation).rows.map { $0.string(0) }
  }

  /// The names of the indexes that are used, without duplicates.
  var indexes: [String] {
    var names: [String] = []
    for line in lines {
      for mark in [" using ", "Bitmap Index Scan on "] {
        guard let start = line.range(of: mark) else { continue }
        var name = line[start.upperBound...]
        if name.first == "\"" {
          name = name.dropFirst()
          name = name.prefix { $0 != "\"" }
        } else {
          name = name.prefix { $0 != " " }
        }
        if !names.contains(String(name)) { names.append(String(name)) }
      }
    }
    return names
  }

  /// Whether PostgreSQL reads all rows of a table, or sorts rows.
  func lacksIndex(on alias: String) -> Bool {
    lines.contains { line in
      let step = line.drop { $0 == " " || $0 == "-" || $0 == ">" }
      return step.hasPrefix("Seq Scan on ") && step.hasSuffix(" \(alias)")
        || step == "Sort" || step == "Incremental Sort"
    }
  }
}
