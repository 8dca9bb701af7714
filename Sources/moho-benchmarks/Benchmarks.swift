import ArgumentParser
import Foundation
import GRDB
import MohoStore

@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moho-benchmarks",
    abstract: "Measures Moho beside its peers, all in one run.",
    discussion: """
      Contenders run in turns, and each must compute the same checksum. Ratios are of median \
      times; build with `-c release`.
      """)

  @Option(help: "The number of rows.")
  var rows = 200_000

  @Option(help: "How often each contender runs.")
  var rounds = 11

  @Option(help: "Run only the contenders whose name begins with this, for a profiler.")
  var only: String?

  func validate() throws {
    guard rows > 0, rounds > 0 else {
      throw ValidationError("The numbers of rows and rounds must be above 0.")
    }
  }

  func run() throws {
    try withTemporaryStore { store in
      print("writing \(rows) rows")
      let episodes = Episode.generate(rows)
      try store.write { try $0.save(episodes) }
      try report(
        "fetch \(rows) rows of 7 columns into models",
        measure(selected(RowDecoding(store: store).contenders), rounds: rounds))
    }
  }

  private func selected(_ contenders: [Contender]) throws -> [Contender] {
    let selected = contenders.filter { $0.name.hasPrefix(only ?? "") }
    guard !selected.isEmpty else {
      throw ValidationError("No contender's name begins with \(only ?? "").")
    }
    return selected
  }

  private func report(_ title: String, _ measurements: [Measurement]) {
    print("\n\(title), \(rounds) interleaved rounds")
    let own = measurements[0].median
    for measurement in measurements {
      print(
        measurement.name.padding(toLength: 36, withPad: " ", startingAt: 0),
        String(
          format: "%8.1f ms median %8.1f ms min %8.0f ns a row   %@ is %.2f times this",
          measurement.median * 1e3, measurement.minimum * 1e3,
          measurement.median * 1e9 / Double(rows), measurements[0].name,
          own / measurement.median))
    }
  }
}

private func withTemporaryStore(_ body: (ModelStore) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(ModelStore(path: folder.appending(path: "store.sqlite").path, models: Episode.self))
}
