import ArgumentParser
import CFloors
import Foundation
import GRDB
import MohoStore

/// Measures models on their way from and to JSON and the store.
struct ModelBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Measures models on their way from and to JSON and rows.",
    discussion: """
      Contenders run in turns, and each must compute the same checksum. Ratios are of median \
      times; build with `-c release`.
      """)

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

  @OptionGroup var files: ReportFiles

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

  func run() throws {
    let report = BenchmarkReport()
    try run(report)
    guard peakOf == nil else { return }
    report.summary()
    try report.write(files)
  }

  /// Measures all workloads that are chosen.
  func run(_ report: BenchmarkReport) throws {
    if let folder { return try run(in: URL(filePath: folder), report) }
    try withTemporaryFolder { try run(in: $0, report) }
  }

  private func run(in folder: URL, _ report: BenchmarkReport) throws {
    let input = FeedInput(count: episodes, folder: folder)
    for workload in workloads {
      switch workload {
      case .fetch:
        try run(
          RowFetching(feed: StoredFeed(count: rows, folder: folder)).contenders,
          Work(
            number: "W4", title: "fetch rows of 13 columns into models", rows: rows,
            unit: ("row", rows),
            limits: [("Swift, SQLite by hand", 1.2), ("GRDB, Codable", 0.5)]), report)
      case .decode:
        try run(
          JSONDecoding(input: input).contenders,
          Work(
            number: "W1", title: "decode episodes of 13 values, \(megabytes(input.data))",
            rows: episodes, unit: ("episode", episodes), limits: decodingLimits), report,
          memory: peakMemory(.decode, folder))
      case .timeline:
        let posts = TimelineText.posts(max(episodes / 10, 1))
        try run(
          DocumentDecoding<TimelinePost, CodablePost>(
            text: { posts }, checksum: \.checksum, model: \.model,
            floor: { floor_decode_posts($0.baseAddress, $0.count) }
          ).contenders,
          Work(
            number: "W1", title: "decode a timeline, 20 of 180 values a post, \(megabytes(posts))",
            rows: max(episodes / 10, 1), unit: ("post", max(episodes / 10, 1)),
            limits: decodingLimits), report)
      case .numbers:
        let outlines = Outline.text(max(episodes / 100, 1))
        try run(
          DocumentDecoding<Outline, CodableOutline>(
            text: { outlines }, checksum: \.checksum, model: \.model,
            floor: { floor_decode_outlines($0.baseAddress, $0.count) }
          ).contenders,
          Work(
            number: "W1", title: "decode outlines of 1000 numbers, \(megabytes(outlines))",
            rows: max(episodes / 100, 1), unit: ("outline", max(episodes / 100, 1)),
            limits: decodingLimits), report)
      case .encode:
        if peakOf == nil { try JSONEncoding(input: input).check() }
        try run(
          JSONEncoding(input: input).contenders,
          Work(
            number: "W2", title: "encode episodes of 13 values", rows: episodes,
            unit: ("episode", episodes),
            limits: [("JSONEncoder, Codable", 1 / 7), ("Swift, a straight-line writer", 2)]),
          report,
          memory: peakMemory(.encode, folder))
      case .import: try runImport(.empty, in: folder, input, report)
      case .importAgain: try runImport(.unchanged, in: folder, input, report)
      case .importChanges: try runImport(.changed, in: folder, input, report)
      case .context:
        let saving = try ContextSaving(feed: StoredFeed(count: rows, folder: folder))
        try run(
          saving.contenders,
          Work(
            number: "W11", title: "save \(saving.count) rows of a context, 2 of 13 columns changed",
            rows: rows, unit: ("row", saving.count), limits: [("C, the same updates", 3)]), report)
        try run(
          [saving.unchanged],
          Work(
            number: "W11", title: "save a context of \(saving.count) rows without changes",
            rows: rows, unit: ("row", saving.count)), report)
        report.time(
          "save a context of \(saving.count) rows without changes", rows: rows,
          report.figures.last?.median ?? .nan, atMost: 2e-3)
      case .memory:
        try MemoryGrowth(episodes: episodes, folder: folder).printTable()
      case .importJSON:
        try run(
          EpisodeImport(input: input, state: .empty, folder: folder).streamingContenders,
          Work(
            number: "W3", title: "decode and save episodes, into an empty table", rows: episodes,
            unit: ("episode", episodes), limits: [("C, the same upsert", 1.3)]), report,
          memory: peakMemory(.importJSON, folder))
      }
    }
  }

  private func runImport(
    _ state: EpisodeImport.State, in folder: URL, _ input: FeedInput, _ report: BenchmarkReport
  ) throws {
    try run(
      EpisodeImport(input: input, state: state, folder: folder).contenders,
      Work(
        number: "W3", title: "save episodes, \(state.rawValue)", rows: episodes,
        unit: ("episode", episodes), limits: [("C, the same upsert", 1.5)]), report)
  }

  private func run(
    _ contenders: [Contender], _ work: Work, _ report: BenchmarkReport,
    memory: PeakMemory? = nil
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
    report.table(work, measurements)
  }

  private func peakMemory(_ workload: Workload, _ folder: URL) -> PeakMemory? {
    guard only.isEmpty else { return nil }
    return PeakMemory(arguments: [
      "models", "--workload", workload.rawValue, "--episodes", "\(episodes)", "--folder",
      folder.path,
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

private let decodingLimits = [
  ("JSONDecoder, Codable", 1.0 / 6), ("Moho, by way of Jansson", 1.0 / 6),
]

private func megabytes(_ bytes: some Collection) -> String {
  String(format: "%.0f MB", Double(bytes.count) / 1e6)
}
