import DocumentationTesting
import Foundation
import Testing

/// The figures of the README are those of `BENCHMARKS.md`.
@Suite struct ReadmeSpeedTests {
  /// A row of the README's table.
  private struct Row: Equatable {
    var work: String
    var contender: String
    var ratio = ""
  }

  /// The work and the contender of each row of the README's table, and their names in
  /// `BENCHMARKS.md`.
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
      "save episodes, all of them stored already", "C, the same upsert"
    ),
    (
      Row(
        work: "save them again with every tenth model changed",
        contender: "C with the same upsert"),
      "save episodes, all of them stored already, every tenth changed", "C, the same upsert"
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

  /// The cells of each row below a header.
  private func cells(of file: String, below header: String) throws -> [[String]] {
    try Article(file).tableRows.drop { !$0.hasPrefix(header) }.dropFirst(2).map { row in
      row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// The rows of the README's table. An empty cell has the text of the cell above it.
  private func rows() throws -> [Row] {
    var rows: [Row] = []
    for cells in try cells(of: "README.md", below: "| work | compared with |") {
      guard cells.count == 3 else { break }
      rows.append(
        Row(
          work: cells[0].isEmpty ? rows.last?.work ?? "" : cells[0],
          contender: cells[1].isEmpty ? rows.last?.contender ?? "" : cells[1], ratio: cells[2]))
    }
    return rows
  }

  @Test func eachRatioIsThatOfTheBenchmarks() throws {
    let measured = try cells(of: "BENCHMARKS.md", below: "| | work | rows | Moho, median |")
    let rows = try rows()

    #expect(
      rows.map { [$0.work, $0.contender] } == Self.sources.map { [$0.row.work, $0.row.contender] })
    for (row, source) in zip(rows, Self.sources) {
      // The title of a work can begin with that of another one.
      let found = measured.filter { $0.count == 6 && "\($0[1]), ".hasPrefix("\(source.work), ") }
      let cells = try #require(found.min { $0[1].count < $1[1].count }, "\(source.work)")
      let references = cells[4...5].flatMap { $0.components(separatedBy: "<br>") }
      let ratio = references.first { $0.hasSuffix(" \(source.contender)") }?.prefix { $0 != " " }
      #expect(row.ratio == ratio.map(String.init), "\(row.work), \(row.contender)")

      let numbers = Self.numbers(in: cells[1] + " " + cells[2])
      #expect(Self.numbers(in: row.work).isSubset(of: numbers), "\(row.work)")
    }
  }

  private static func numbers(in text: String) -> Set<Substring> {
    Set(text.replacing(",", with: "").matches(of: /[0-9]+/).map(\.0))
  }

  @Test func aTargetIsComparedWithAContenderThatExists() throws {
    let works = Set(
      try cells(of: "BENCHMARKS.md", below: "| | work | rows | Moho, median |")
        .compactMap { $0.count == 6 ? $0[1] : nil })
    let program = try Self.source(of: "Tests/Benchmarks/Sources/moho-benchmarks")
    let contenders = try cells(of: "BENCHMARKS.md", below: "| | claim | rows | figure |")
      .map { $0[1].components(separatedBy: " ÷ ") }
      .filter { $0.count == 2 && works.contains($0[0]) && $0[1].contains(", ") }.map { $0[1] }

    #expect(contenders.count > 10)
    #expect(contenders.filter { !program.contains("\"\($0)\"") } == [])
  }

  /// The text of all source files in a folder of the package.
  private static func source(of folder: String) throws -> String {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = root.appending(path: folder).resolvingSymlinksInPath().path
    let files = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try files.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8) }.joined(separator: "\n")
  }
}
