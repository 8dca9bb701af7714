import ArgumentParser
import CFloors
import Foundation
import GRDB
import MohoRows
import MohoSQLite

/// Measures decoding, encoding, importing, fetching and saving of models.
struct ModelBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "models",
    abstract: "Measures decoding, encoding, importing, fetching and saving of models.",
    discussion: """
      Contenders take turns, and each must compute the same checksum. Ratios compare median \
      times. Build with `-c release`.
      """)

  @Option(
    name: .customLong("workload"),
    help: "A workload to run. Repeat the option for several. Runs all by default.")
  var workloads: [Workload] = Workload.allCases

  @Option(help: "The number of rows to fetch.")
  var rows = 244_292

  @Option(help: "The number of episodes to decode, encode and import.")
  var episodes = 100_000

  @Option(help: "The number of runs of each contender.")
  var rounds = 11

  @Option(
    help: "A JSON array of statuses for the workload `microblog`. By default, generated statuses.")
  var file: String?

  @Option(help: "Run only contenders whose name has this prefix. Repeat the option for several.")
  var only: [String] = []

  @OptionGroup var figures: FigureOptions

  @Option(
    help: ArgumentHelp("Run this contender once and print its peak memory.", visibility: .hidden)
  )
  var peakOf: String?

  @Flag(help: ArgumentHelp("Only create the input of the contender.", visibility: .hidden))
  var idle = false

  @Option(help: ArgumentHelp("The folder of generated input.", visibility: .hidden))
  var folder: String?

  func validate() throws {
    guard figures.json == nil || only.isEmpty else {
      throw ValidationError("`--json` stores figures of all contenders. Remove `--only`.")
    }
    guard rows > 0, rounds > 0, episodes > 0 else {
      throw ValidationError("The numbers of rows, episodes and rounds must be greater than 0.")
    }
  }

  func run() throws {
    let report = BenchmarkReport()
    try run(report)
    guard peakOf == nil else { return }
    report.summary()
    try figures.write(report.workloads)
  }

  /// Runs the selected workloads.
  func run(_ report: BenchmarkReport) throws {
    if let folder { return try run(in: URL(filePath: folder), report) }
    try withTemporaryFolder { try run(in: $0, report) }
  }

  private func run(in folder: URL, _ report: BenchmarkReport) throws {
    let input = FeedInput(count: episodes, folder: folder)
    for workload in workloads {
      switch workload {
      case .microblog: try runMicroblog(in: folder, report)
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
            number: "W1", title: "decode episodes of 13 values", rows: episodes,
            unit: ("episode", episodes), documentBytes: input.data.count, limits: decodingLimits),
          report,
          memory: peakMemory(.decode, folder))
      case .timeline:
        let posts = TimelineText.posts(max(episodes / 10, 1))
        try run(
          DocumentDecoding<TimelinePost, CodablePost>(
            text: { posts }, checksum: \.checksum, model: \.model,
            floor: { floor_decode_posts($0.baseAddress, $0.count) }
          ).contenders,
          Work(
            number: "W1",
            title: "decode a timeline, 20 of 180 values per post",
            rows: max(episodes / 10, 1), unit: ("post", max(episodes / 10, 1)),
            documentBytes: posts.count, limits: decodingLimits), report)
      case .numbers:
        let outlines = Outline.text(max(episodes / 100, 1))
        try run(
          DocumentDecoding<Outline, CodableOutline>(
            text: { outlines }, checksum: \.checksum, model: \.model,
            floor: { floor_decode_outlines($0.baseAddress, $0.count) }
          ).contenders,
          Work(
            number: "W1", title: "decode outlines of 1000 numbers",
            rows: max(episodes / 100, 1), unit: ("outline", max(episodes / 100, 1)),
            documentBytes: outlines.count, limits: decodingLimits), report)
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
          "the save", report.workloads.last.map { $0.median(of: $0.own) } ?? .nan, atMost: 2e-3)
      case .memory:
        try MemoryGrowth(episodes: episodes, folder: folder).printTable()
      case .features:
        let documents = StatusDocuments(count: max(episodes / 25, 1))
        let kilobytes = Double(documents.text.count) / 1e3 / Double(documents.count)
        print(String(format: "\n%d statuses of %.1f KB on average", documents.count, kilobytes))
        try runFeatures(FeatureCosts(documents, folder: folder), report)
      case .importJSON:
        try run(
          EpisodeImport(input: input, state: .empty, folder: folder).streamingContenders,
          Work(
            number: "W3", title: "decode and save episodes, into an empty table", rows: episodes,
            unit: ("episode", episodes), documentBytes: input.data.count,
            limits: [("C, the same upsert", 1.3)]), report,
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

  private func runMicroblog(in folder: URL, _ report: BenchmarkReport) throws {
    let document =
      try file.map { try MicroblogDocument(file: URL(filePath: $0)) }
      ?? MicroblogDocument(count: max(episodes / 25, 1))
    let microblog = try Microblog(document, folder: folder)
    var medians: [MicroblogWork: Double] = [:]
    for work in MicroblogWork.allCases {
      try run(work, work.rawValue, of: microblog, report)
      medians[work] = report.workloads.last.map { $0.median(of: $0.own) }
      if work == .importAgain, let first = medians[.importNew], let again = medians[work] {
        report.ratio("share of the import into a new store", again / first, atMost: 0.5)
      }
    }
    if file == nil { try runPage(in: folder, report) }
  }

  /// What an app does with an answer of a server.
  private func runPage(in folder: URL, _ report: BenchmarkReport) throws {
    let page = try Microblog(MicroblogDocument(count: 40), folder: folder)
    for work in MicroblogWork.allCases {
      if let title = work.titleOfPage { try run(work, title, of: page, report) }
    }
  }

  private func run(
    _ work: MicroblogWork, _ title: String, of microblog: Microblog, _ report: BenchmarkReport
  ) throws {
    let document = microblog.document
    try run(
      microblog.contenders(work),
      Work(
        number: "W0", title: title, rows: document.count,
        documentBytes: work.isOfDocument ? document.text.count : nil, limits: work.limits),
      report)
  }

  private func runFeatures(_ features: FeatureCosts, _ report: BenchmarkReport) throws {
    for work in FeatureWork.allCases {
      guard let measurements = try measurements(of: features.contenders(work)) else { continue }
      report.add(
        Work(number: FeatureCosts.number, title: work.rawValue, rows: features.count),
        measurements, comparing: FeatureCosts.base)
    }
    report.printFeatureTable()
  }

  private func run(
    _ contenders: [Contender], _ work: Work, _ report: BenchmarkReport,
    memory: PeakMemory? = nil
  ) throws {
    guard let measurements = try measurements(of: contenders, memory: memory) else { return }
    report.table(work, measurements)
  }

  /// Measures the selected contenders. Returns `nil` if the process measures
  /// peak memory instead.
  private func measurements(
    of contenders: [Contender], memory: PeakMemory? = nil
  ) throws -> [Measurement]? {
    if let peakOf {
      for contender in contenders where contender.name == peakOf {
        try contender.prepare()
        try contender.reset()
        if !idle { _ = try contender.run() }
        print(Memory.peak.map(String.init) ?? "")
      }
      return nil
    }
    // A full name selects only that contender, even if it is a prefix of other
    // names.
    let names = Set(contenders.map(\.name))
    let selected = contenders.filter { contender in
      only.isEmpty
        || only.contains {
          names.contains($0) ? $0 == contender.name : contender.name.hasPrefix($0)
        }
    }
    guard !selected.isEmpty else {
      throw ValidationError("No contender has a name with this prefix.")
    }
    var measurements = try measure(selected, rounds: rounds)
    if let memory {
      for (index, contender) in selected.enumerated() {
        measurements[index].bytes = try memory.bytes(of: contender)
      }
    }
    return measurements
  }

  private func peakMemory(_ workload: Workload, _ folder: URL) -> PeakMemory? {
    guard only.isEmpty else { return nil }
    return PeakMemory(arguments: [
      "models", "--workload", workload.rawValue, "--episodes", "\(episodes)", "--folder",
      folder.path,
    ])
  }
}

/// A workload of this command.
enum Workload: String, CaseIterable, ExpressibleByArgument {
  /// All kinds of work of an app, with a model that uses most features.
  case microblog
  /// Fetches rows into models.
  case fetch
  /// Decodes JSON into models.
  case decode
  /// Decodes JSON objects with many members into models with few keys.
  case timeline
  /// Decodes JSON that consists mostly of numbers.
  case numbers
  /// Encodes models as JSON.
  case encode
  /// Saves models into an empty table.
  case `import`
  /// Saves models that are already stored.
  case importAgain = "import-again"
  /// Saves models that are already stored, every tenth with changed values.
  case importChanges = "import-changes"
  /// Decodes JSON and saves the models.
  case importJSON = "import-json"
  /// Saves an editing context.
  case context
  /// Measures memory at several numbers of episodes.
  case memory
  /// Measures what each feature of a mapping costs.
  case features
}

private let decodingLimits = [("JSONDecoder, Codable", 1.0 / 6)]
