import DocumentationTesting
import Foundation
import Testing

/// The figures of the README are those of `BENCHMARKS.json`.
@Suite struct ReadmeSpeedTests {
  /// A row of the README's table.
  private struct Row: Equatable {
    var work: String
    var contender: String
    var ratio = ""
  }

  /// `BENCHMARKS.json`.
  private struct FigureFile: Decodable {
    let workloads: [Workload]
  }

  private struct Workload: Decodable {
    let title: String
    let rows: Int
    let documentBytes: Int?
    let own: String
    let contenders: [Contender]
    let goals: [Goal]

    func median(of name: String) -> Double? {
      contenders.first { $0.name == name }?.time?.median
    }
  }

  private struct Contender: Decodable {
    let name: String
    let time: Time?
  }

  private struct Time: Decodable {
    let median: Double
  }

  private struct Goal: Decodable {
    let claim: String
  }

  /// The work and the contender of each row of the README's table, and their names in
  /// `BENCHMARKS.json`.
  private static let sources: [(row: Row, work: String, contender: String)] = [
    (
      Row(
        work: "decode 47 MB of JSON, 100,000 models",
        contender: "C with Jansson, element by element"),
      "decode episodes of 13 values", "C, Jansson element by element"
    ),
    (
      Row(work: "decode 47 MB of JSON, 100,000 models", contender: "`JSONDecoder`"),
      "decode episodes of 13 values", "JSONDecoder, Codable"
    ),
    (
      Row(work: "decode 41 MB with few mapped values", contender: "`JSONDecoder`"),
      "decode a timeline, 20 of 180 values per post", "JSONDecoder, Codable"
    ),
    (
      Row(work: "encode 100,000 models", contender: "`JSONEncoder`"),
      "encode episodes of 13 values", "JSONEncoder, Codable"
    ),
    (
      Row(work: "encode 100,000 models", contender: "Swift, handwritten for the type"),
      "encode episodes of 13 values", "Swift, a straight-line writer"
    ),
    (
      Row(
        work: "JSON into an empty table, 100,000 models",
        contender: "C with parsed values and the same upsert"),
      "decode and save episodes, into an empty table", "C, the same upsert"
    ),
    (
      Row(
        work: "JSON into an empty table, 100,000 models",
        contender: "`JSONDecoder` and GRDB's `upsert`"),
      "decode and save episodes, into an empty table", "JSONDecoder, and GRDB's upsert"
    ),
    (
      Row(
        work: "save 100,000 models by a text key into an empty table",
        contender: "C with the same upsert"),
      "save episodes, into an empty table", "C, the same upsert"
    ),
    (
      Row(work: "save the same models again", contender: "C with the same upsert"),
      "save episodes, all rows already stored", "C, the same upsert"
    ),
    (
      Row(
        work: "save them again with every tenth model changed",
        contender: "C with the same upsert"),
      "save episodes, all rows already stored, every tenth changed", "C, the same upsert"
    ),
    (
      Row(
        work: "fetch 244,292 rows with 13 columns as models",
        contender: "Swift, handwritten with SQLite's functions"),
      "fetch rows of 13 columns into models", "Swift, SQLite by hand"
    ),
    (
      Row(
        work: "fetch 244,292 rows with 13 columns as models",
        contender: "GRDB, handwritten record, columns by index"),
      "fetch rows of 13 columns into models", "GRDB, init(row:) by index"
    ),
    (
      Row(
        work: "fetch 244,292 rows with 13 columns as models", contender: "GRDB, `Codable` record"),
      "fetch rows of 13 columns into models", "GRDB, Codable"
    ),
    (
      Row(
        work: "save a context with 10,000 rows, 2 of 13 columns changed",
        contender: "C with the same updates"),
      "save 10000 rows of a context, 2 of 13 columns changed", "C, the same updates"
    ),
    (
      Row(
        work: "save a context with 10,000 rows, 2 of 13 columns changed",
        contender: "GRDB, `updateChanges`"),
      "save 10000 rows of a context, 2 of 13 columns changed", "GRDB, updateChanges"
    ),
  ]

  /// The rows of the README's table. An empty cell has the text of the cell above it.
  private func rows() throws -> [Row] {
    let lines = try Article("README.md").tableRows
      .drop { !$0.hasPrefix("| work | compared with |") }.dropFirst(2)
    var rows: [Row] = []
    for line in lines {
      let cells = line.dropFirst().dropLast().split(
        separator: "|", omittingEmptySubsequences: false
      )
      .map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3 else { break }
      rows.append(
        Row(
          work: cells[0].isEmpty ? rows.last?.work ?? "" : cells[0],
          contender: cells[1].isEmpty ? rows.last?.contender ?? "" : cells[1], ratio: cells[2]))
    }
    return rows
  }

  private func workloads() throws -> [Workload] {
    let file = Self.root.appending(path: "BENCHMARKS.json")
    return try JSONDecoder().decode(FigureFile.self, from: Data(contentsOf: file)).workloads
  }

  @Test func eachRatioIsThatOfTheBenchmarks() throws {
    let (workloads, rows) = (try workloads(), try rows())

    #expect(
      rows.map { [$0.work, $0.contender] } == Self.sources.map { [$0.row.work, $0.row.contender] })
    for (row, source) in zip(rows, Self.sources) {
      let found = workloads.filter { $0.title == source.work }
      #expect(found.count == 1, "\(source.work)")
      let workload = try #require(found.first)
      let own = try #require(workload.median(of: workload.own), "\(source.work)")
      let other = try #require(workload.median(of: source.contender), "\(source.contender)")
      #expect(row.ratio == String(format: "%.2f", own / other), "\(row.work), \(row.contender)")

      let megabytes = workload.documentBytes.map { (Double($0) / 1e6).rounded() }
      let numbers = Self.numbers(in: "\(source.work) \(workload.rows) \(megabytes ?? 0)")
      #expect(Self.numbers(in: row.work).isSubset(of: numbers), "\(row.work)")
    }
  }

  private static func numbers(in text: String) -> Set<Substring> {
    Set(text.replacing(",", with: "").matches(of: /[0-9]+/).map(\.0))
  }

  @Test func aGoalIsComparedWithAContenderOfItsWorkload() throws {
    let comparisons = try workloads().flatMap { workload in
      workload.goals.filter { $0.claim.hasPrefix("÷ ") }.map { (workload, $0.claim.dropFirst(2)) }
    }

    #expect(comparisons.count > 10)
    for (workload, name) in comparisons {
      #expect(workload.median(of: String(name)) != nil, "\(workload.title), \(name)")
    }
  }

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
