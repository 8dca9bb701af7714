import ArgumentParser
import CommandSupport
import Foundation
import Moho
import WellField

/// Opens a long list, and follows its changes.
@main
struct WellsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wells",
    abstract: "Open a list of generated wells, scroll through it, and change it.",
    discussion: """
      Prints the time until the first page and until all rows are available, the memory before \
      and after scrolling from end to end, and how changes affect the list. For meaningful \
      times, build with `-c release` and repeat the run.

      EXAMPLES:
        wells
        wells --rows 1000000
        wells --store wells.sqlite        (later runs use the same wells)

      EXIT STATUS:
        0   Done.
        64  Invalid command-line arguments.
        73  The store cannot be created or opened.
        74  The disk failed or is full.
        75  Another program has locked the store.
      """,
    version: PackageVersion.current)

  @Option(help: "The number of wells to generate.")
  var rows = 244_292

  @Option(help: "The seed of the generator. The same seed gives the same wells.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "The SQLite file of the wells. Wells are generated if the file has no wells. (default: a"
        + " temporary file)",
      valueName: "path"),
    completion: .file())
  var store: String?

  func validate() throws {
    guard rows >= 0 else { throw ValidationError("--rows must be 0 or greater.") }
    if store?.isEmpty == true { throw ValidationError("--store must not be empty.") }
    if case .server = store.map({ StoreLocation($0) }) {
      throw ValidationError("--store must be a file.")
    }
  }

  static func main() async { await runReporting() }

  func run() async throws {
    if let store { return try await run(at: store) }
    try await ProgramFolder.withTemporaryFile("wells.sqlite", of: "wells", run(at:))
  }

  private func run(at path: String) async throws {
    let store = try ModelStore(path: path, models: Well.self)
    let count = try await store.fetchCount(ModelRequest<Well>())
    if count == 0 { try generate(store) }
    let tour = Tour(store)
    let opening = try await open(tour)
    try scroll(tour, opening.snapshot)
    try await tour.change(opening.controller) { what, changes, duration in
      let records =
        changes.rows.count == 1
        ? changes.rows.map(\.description)
        : [WellText.summary(of: changes)]
      try Output.print(["\(what): \(records[0]), \(WellText.time(duration))"])
    }
  }

  private func generate(_ store: ModelStore) throws {
    let progress = Progress(of: rows, "wells")
    defer { progress.end() }
    let start = ContinuousClock.now
    try store.generateWells(seed: seed, count: rows, progress: progress.show)
    progress.end()
    try Output.print([
      "generated \(WellText.number(rows)) wells in \(WellText.time(ContinuousClock.now - start))"
    ])
  }

  private func open(_ tour: Tour) async throws -> Tour.Opening {
    let opening = try await tour.open()
    try Output.print(
      WellText.lines(Array(opening.firstPage.prefix(5)), width: Terminal.size?.width) + [
        "first page after \(WellText.time(opening.untilFirstPage)),"
          + " all \(WellText.number(opening.snapshot.count)) rows"
          + " after \(WellText.time(opening.untilAllRows))"
      ])
    return opening
  }

  private func scroll(_ tour: Tour, _ snapshot: ResultsSnapshot<Well>) throws {
    let progress = Progress(of: snapshot.count, "rows")
    defer { progress.end() }
    let before = Memory.resident
    let (pages, duration) = try tour.scroll(through: snapshot, progress: progress.show)
    progress.end()
    var line = "scrolled \(WellText.number(pages)) pages in \(WellText.time(duration))"
    if let before, let after = Memory.resident {
      line += ", memory \(WellText.size(before)) before and \(WellText.size(after)) after"
    }
    try Output.print([line])
  }
}
