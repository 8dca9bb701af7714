import ArgumentParser
import CFloors
import Foundation
import GRDB
import MohoStore

@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "moho-benchmarks",
    abstract: "Measures Moho beside its peers, all in one run.",
    discussion: """
      Contenders run in turns, and each must compute the same checksum. Ratios are of median \
      times; build with `-c release`.
      """,
    subcommands: [ResultsBenchmarks.self])

  @Option(
    name: .customLong("workload"),
    help: "A workload to run; give it again for more. All unless given.")
  var workloads: [Workload] = Workload.allCases

  @Option(help: "The number of rows that are fetched.")
  var rows = 244_292

  @Option(help: "The number of episodes that are decoded and encoded.")
  var episodes = 100_000

  @Option(help: "How often each contender runs.")
  var rounds = 11

  @Option(help: "Run only contenders whose name begins with this; give it again for more.")
  var only: [String] = []

  @Option(
    help: ArgumentHelp("Run this contender once and print the peak of memory.", visibility: .hidden)
  )
  var peakOf: String?

  @Flag(help: ArgumentHelp("Make the contender's input only.", visibility: .hidden))
  var idle = false

  @Option(help: ArgumentHelp("Where generated input lies.", visibility: .hidden))
  var folder: String?

  func validate() throws {
    guard rows > 0, rounds > 0, episodes > 0 else {
      throw ValidationError("The numbers of rows, episodes and rounds must be above 0.")
    }
  }

  func run() async throws {
    if let folder { return try run(in: URL(filePath: folder)) }
    try withTemporaryFolder { folder in try run(in: folder) }
  }

  private func run(in folder: URL) throws {
    let input = FeedInput(count: episodes, folder: folder)
    for workload in workloads {
      switch workload {
      case .fetch:
        try run(
          RowFetching(feed: StoredFeed(count: rows, folder: folder)).contenders,
          Report(title: "fetch \(rows) rows of 13 columns into models", unit: "row", count: rows))
      case .decode:
        let size = Double(input.data.count) / 1e6
        try run(
          JSONDecoding(input: input).contenders,
          Report(
            title: "decode \(episodes) episodes of 13 values, \(size) MB", unit: "episode",
            count: episodes),
          memory: peakMemory(.decode, folder))
      case .timeline:
        let posts = TimelineText.posts(max(episodes / 10, 1))
        try run(
          DocumentDecoding<TimelinePost, CodablePost>(
            text: { posts }, checksum: \.checksum, model: \.model,
            floor: { floor_decode_posts($0.baseAddress, $0.count) }
          ).contenders,
          Report(
            title: "decode a timeline, \(Double(posts.count) / 1e6) MB, 20 of 180 values a post",
            unit: "post", count: max(episodes / 10, 1)))
      case .numbers:
        let outlines = Outline.text(max(episodes / 100, 1))
        try run(
          DocumentDecoding<Outline, CodableOutline>(
            text: { outlines }, checksum: \.checksum, model: \.model,
            floor: { floor_decode_outlines($0.baseAddress, $0.count) }
          ).contenders,
          Report(
            title: "decode outlines of 1000 numbers, \(Double(outlines.count) / 1e6) MB",
            unit: "outline", count: max(episodes / 100, 1)))
      case .encode:
        if peakOf == nil { try JSONEncoding(input: input).check() }
        try run(
          JSONEncoding(input: input).contenders,
          Report(
            title: "encode \(episodes) episodes of 13 values", unit: "episode", count: episodes),
          memory: peakMemory(.encode, folder))
      case .import: try runImport(.empty, in: folder, input)
      case .importAgain: try runImport(.unchanged, in: folder, input)
      case .importChanges: try runImport(.changed, in: folder, input)
      case .context:
        let saving = try ContextSaving(feed: StoredFeed(count: rows, folder: folder))
        try run(
          saving.contenders,
          Report(
            title: "save \(saving.count) of \(rows) rows, 2 of 13 columns changed", unit: "row",
            count: saving.count))
        try run(
          [saving.unchanged],
          Report(
            title: "save a context of \(saving.count) rows without changes", unit: "row",
            count: saving.count))
      case .memory:
        try MemoryGrowth(episodes: episodes, folder: folder).printTable()
      case .importJSON:
        try run(
          EpisodeImport(input: input, state: .empty, folder: folder).streamingContenders,
          Report(
            title: "decode and save \(episodes) episodes of 13 values, into an empty table",
            unit: "episode", count: episodes),
          memory: peakMemory(.importJSON, folder))
      }
    }
  }

  private func runImport(
    _ state: EpisodeImport.State, in folder: URL, _ input: FeedInput
  ) throws {
    try run(
      EpisodeImport(input: input, state: state, folder: folder).contenders,
      Report(
        title: "save \(episodes) episodes of 13 values, \(state.rawValue)", unit: "episode",
        count: episodes))
  }

  private func run(
    _ contenders: [Contender], _ report: Report, memory: PeakMemory? = nil
  ) throws {
    if let peakOf {
      for contender in contenders where contender.name == peakOf {
        try contender.prepare()
        try contender.reset()
        if !idle { _ = try contender.run() }
        print(Memory.peak.map(String.init) ?? "")
      }
      return
    }
    // A whole name means that contender alone.
    let names = Set(contenders.map(\.name))
    let selected = contenders.filter { contender in
      only.isEmpty
        || only.contains {
          names.contains($0) ? $0 == contender.name : contender.name.hasPrefix($0)
        }
    }
    guard !selected.isEmpty else {
      throw ValidationError("No contender's name begins so.")
    }
    var measurements = try measure(selected, rounds: rounds)
    if let memory {
      for (index, contender) in selected.enumerated() {
        measurements[index].peakMemory = try memory.bytes(of: contender)
      }
    }
    report.print(measurements, rounds: rounds)
  }

  private func peakMemory(_ workload: Workload, _ folder: URL) -> PeakMemory? {
    guard only.isEmpty else { return nil }
    return PeakMemory(arguments: [
      "--workload", workload.rawValue, "--episodes", "\(episodes)", "--folder", folder.path,
    ])
  }
}

/// What is measured.
enum Workload: String, CaseIterable, ExpressibleByArgument {
  /// Rows to models.
  case fetch
  /// JSON to models.
  case decode
  /// JSON of many members to models of few keys.
  case timeline
  /// JSON of numbers to models.
  case numbers
  /// Models to JSON.
  case encode
  /// Models to rows, into an empty table.
  case `import`
  /// Models to rows that are stored already.
  case importAgain = "import-again"
  /// Models to rows that are stored already, every tenth with other values.
  case importChanges = "import-changes"
  /// JSON to rows.
  case importJSON = "import-json"
  /// Edited rows of a context to rows.
  case context
  /// Whether memory grows with the number of episodes.
  case memory
}

private func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}
