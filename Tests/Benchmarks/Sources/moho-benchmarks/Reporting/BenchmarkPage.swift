import Foundation

/// The text of `BENCHMARKS.md`, which answers questions by figures.
struct BenchmarkPage {
  struct MissingWorkload: Error, CustomStringConvertible {
    let description: String
  }

  private let workloads: [WorkloadFigures]

  init(_ file: FigureFile) { workloads = file.workloads }

  /// - Throws: ``MissingWorkload`` if a workload of the page was not measured.
  func markdown() throws -> String {
    let sections = try Question.all.map { question in
      (question, try question.rows.map { ($0, try workload(of: $0)) })
    }
    let machines = sections.flatMap { $0.1 }.map { "\($0.1.date): \($0.1.machine)" }.uniqued()
    var lines = [
      "# Benchmarks", "",
      "Absolute times depend on the machine; compare the ratios. All figures of a row come from one",
      "run, in which the contenders take turns and verify the results of each other. Times are medians.",
      "`× floor` and `× peer` are the time of Moho divided by that of a minimal implementation of the",
      "same work, in C or C++ with SQLite, Jansson or simdjson, or in Swift written by hand for one type,",
      "and by that of another library. A dash means that no such contender does this work.",
      "[BENCHMARKS.json](BENCHMARKS.json) has all contenders, features, and numbers of rows.",
      "`Tests/Benchmarks/run report` makes this page from it; see",
      "[CONTRIBUTING.md](CONTRIBUTING.md#measuring).", "",
    ]
    lines += machines.map { "- \($0)" }
    for (question, rows) in sections {
      lines += ["", "## \(question.title)", ""]
      if let note = question.note { lines += [note, ""] }
      for conditions in rows.compactMap(\.1.conditions).uniqued() { lines += [conditions, ""] }
      lines += ["| work | rows | Moho | × floor | × peer | goal |", "|---|---|---|---|---|---|"]
      lines += rows.map(line)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The number of rows of most workloads on the page.
  private static let usualRows = 244_292

  private func workload(of row: Question.Row) throws -> WorkloadFigures {
    let sizes = workloads.filter { $0.number == row.number && $0.title == row.title }
    let usual = sizes.first { $0.rows == Self.usualRows }
    guard let workload = usual ?? sizes.max(by: { $0.rows < $1.rows }) else {
      throw MissingWorkload(description: "no figures of \(row.number), \(row.title)")
    }
    return workload
  }

  private func line(_ row: Question.Row, _ workload: WorkloadFigures) -> String {
    let own = workload.contender(row.own ?? workload.own)
    var title = workload.title
    if let bytes = workload.documentBytes {
      title += ", \(FigureText.size(bytes, decimals: 0))"
    }
    if let variant = row.own?.split(separator: ", ", maxSplits: 1).last { title += ", \(variant)" }
    let figure =
      row.isSize
      ? own?.bytes.map { FigureText.size($0) } : own?.time.map { FigureText.time($0.median) }
    let goals = workload.goals.filter { ($0.unit == .bytes) == row.isSize }
    let cells = [
      "\(row.number) \(title)", FigureText.count(workload.rows), figure ?? "—",
      references(.floor, row, own, workload), references(.peer, row, own, workload),
      Self.cell(goals.map(\.description)),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// The ratios of Moho to floors or to peers.
  private func references(
    _ party: Party, _ row: Question.Row, _ own: WorkloadFigures.Contender?,
    _ workload: WorkloadFigures
  ) -> String {
    func value(_ contender: WorkloadFigures.Contender?) -> Double? {
      row.isSize ? contender?.bytes.map(Double.init) : contender?.time?.median
    }
    return Self.cell(
      workload.contenders.filter { $0.party == party }.compactMap { contender in
        guard let own = value(own), let other = value(contender), other > 0 else { return nil }
        return "\(FigureText.ratio(own / other)) \(contender.name)"
      })
  }

  private static func cell(_ lines: [String]) -> String {
    lines.isEmpty ? "—" : lines.joined(separator: "<br>")
  }
}
