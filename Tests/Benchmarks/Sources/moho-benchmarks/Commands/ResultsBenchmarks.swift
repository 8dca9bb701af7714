import ArgumentParser
import Foundation
import MohoResults

/// Compares the results controller with C floors and with GRDB.
struct ResultsBenchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results",
    abstract: "Compares the results controller with C floors and with GRDB.",
    discussion: """
      Contenders take turns and verify the results of each other. Ratios compare median times. \
      Build with `-c release`.
      """)

  enum Part: String, CaseIterable, ExpressibleByArgument {
    /// The time to the first page and to the whole order.
    case open
    /// The memory of an idle controller.
    case memory
    /// Pages of models while scrolling.
    case scroll
    /// A write of one row.
    case change
    /// A write of many rows in one transaction.
    case transaction
    /// A write to a table with many controllers.
    case controllers
    /// A write while a count is observed.
    case count
    /// A write while aggregates are observed.
    case aggregates
    /// A large import, with and without a controller.
    case `import`
  }

  @Option(
    name: .customLong("part"),
    help: "A part to run. Repeat the option for several. Runs all by default.")
  var parts: [Part] = Part.allCases

  @Option(name: .customLong("sizes"), parsing: .upToNextOption, help: "The numbers of rows.")
  var sizes = [1_000, 10_000, 100_000, 244_292, 1_000_000]

  @Option(help: "The number of runs of each contender.")
  var turns = 11

  @Option(help: "The number of writes of each kind.")
  var samples = 300

  @Option(help: "The number of rows to import.")
  var imported = 100_000

  @Option(help: "The number of rows at which GRDB is measured as well.")
  var peerSize = 244_292

  @Option(help: "Run only this kind of single-row change, for profiling.")
  var kind: ListEdit.Kind?

  @OptionGroup var figures: FigureOptions

  @Option(
    help: ArgumentHelp(
      "Print the memory of this observer in bytes.", visibility: .hidden))
  var idleMemory: IdleObserver?

  @Option(help: ArgumentHelp("The database file of the list.", visibility: .hidden))
  var store: String?

  func validate() throws {
    guard figures.json == nil || kind == nil else {
      throw ValidationError("`--json` stores figures of all contenders. Remove `--kind`.")
    }
    guard sizes.allSatisfy({ $0 >= 200 }), turns > 0, samples > 0, imported > 0 else {
      throw ValidationError("Sizes must be at least 200, other numbers greater than 0.")
    }
  }

  func run() async throws {
    if let idleMemory, let store { return try await IdleMemory.printGrowth(idleMemory, store) }
    let report = BenchmarkReport()
    try await run(report)
    report.printGrowth()
    report.summary()
    try figures.write(report.workloads)
  }

  /// Runs the selected parts.
  func run(_ report: BenchmarkReport) async throws {
    try await withTemporaryFolder { try await run(in: $0, report) }
  }

  private func run(in folder: URL, _ report: BenchmarkReport) async throws {
    for size in sizes {
      let stores = try ListStores(count: size, folder: folder)
      for part in Part.allCases where parts.contains(part) {
        try await run(part, stores, report)
        stores.removeCopies()
      }
    }
    if parts.contains(.import) { try importIntoEmptyTable(folder, report) }
    for list in [EpisodeList.newest, .sectioned] {
      for kind in ListEdit.Kind.allCases { OneRowChanges.flatness(list, kind, report) }
    }
  }

  private func run(
    _ part: Part, _ stores: ListStores, _ report: BenchmarkReport
  ) async throws {
    let size = stores.episodes.count
    switch part {
    case .open: for list in EpisodeList.allCases { try open(list, stores, report) }
    case .memory: try memory(stores, report)
    case .scroll: try scroll(stores, report)
    case .change:
      let kinds = kind.map { [$0] } ?? ListEdit.Kind.allCases
      let peers =
        size == peerSize && kind == nil
        ? try ObservationPeers(samples: max(1, samples / 20)).measurements(stores) : []
      for (list, kinds) in [
        (EpisodeList.newest, kinds.filter { $0 != .section }),
        (.sectioned, kinds.filter { $0 == .section }),
      ] where !kinds.isEmpty {
        try await OneRowChanges(list: list, kinds: kinds, samples: samples, peers: peers)
          .run(stores, report)
      }
    case .transaction: try await ManyRowChanges(rounds: turns).run(stores, report)
    case .controllers:
      try await ManyControllers(samples: samples).run(stores, withPeers: size == peerSize, report)
    case .count:
      try await ObservedCount(samples: samples).run(stores, withPeers: size == peerSize, report)
    case .aggregates:
      try await ObservedAggregates(samples: samples)
        .run(stores, withPeers: size == peerSize, report)
      try FollowedSections(samples: samples).run(stores, report)
      try await ManyValues(samples: samples).run(stores, report)
    case .import:
      if size == peerSize { try runImport(stores, report) }
    }
  }

  private func open(
    _ list: EpisodeList, _ stores: ListStores, _ report: BenchmarkReport
  ) throws {
    let (size, withPeers) = (stores.episodes.count, stores.episodes.count == peerSize)
    let fetching = try ListFetching(list, stores)
    try fetching.check()
    let page = try measure(fetching.pageContenders(withPeers: withPeers), rounds: turns)
    report.table(
      Work(number: list.number, title: "first page, \(list.rawValue)", rows: size), page)
    report.time(
      "the page", page[1].median, atMost: 0.5e-3)
    let index = try measure(fetching.indexContenders(withPeers: withPeers), rounds: turns)
    report.table(
      Work(number: list.number, title: "whole order, \(list.rawValue)", rows: size), index)
    report.ratio(
      "÷ \(index[0].name)", index[1].median / index[0].median, atMost: 2)
  }

  private func memory(_ stores: ListStores, _ report: BenchmarkReport) throws {
    let size = stores.episodes.count
    for list in [EpisodeList.newest, .sectioned] {
      let path = try stores.makeCopy()
      let observer: IdleObserver = list == .newest ? .newest : .sectioned
      guard let bytes = try IdleMemory.measuredInChild(observer, path) else { continue }
      // For few rows, the page size of the allocator dominates.
      guard size >= 100_000 else { continue }
      report.table(
        Work(
          number: list.number, title: "memory of an idle controller, \(list.rawValue)",
          rows: size),
        [Measurement(name: "Moho, controller", bytes: bytes)])
      report.add(
        Goal(
          claim: "bytes per row", unit: .bytes, value: Double(bytes) / Double(size), limit: 14))
    }
    for (observer, name) in [
      (IdleObserver.totals, "five totals"), (.shows, "five totals of each show"),
      (.dates, "groups of each date"),
    ] {
      let path = try stores.makeCopy()
      guard let bytes = try IdleMemory.measuredInChild(observer, path), size >= 100_000 else {
        continue
      }
      report.table(
        Work(number: "W20", title: "memory of observed \(name)", rows: size),
        [Measurement(name: "Moho, observed values", bytes: bytes)])
    }
  }

  private func scroll(_ stores: ListStores, _ report: BenchmarkReport) throws {
    let size = stores.episodes.count
    let scrolling = try ListScrolling(stores)
    for (name, starts) in [
      ("all pages in order", scrolling.inOrder), ("random pages", scrolling.atRandom(500)),
      ("random pages across batches", scrolling.acrossBatches(500)),
    ] {
      var pages = try measure(scrolling.contenders(starts), rounds: turns)
      for index in pages.indices {
        pages[index].times = pages[index].times.map { $0 / Double(starts.count) }
      }
      report.table(Work(number: "W6", title: "page of 50, \(name)", rows: size), pages)
      report.time("the page", pages[1].median, atMost: 100e-6)
    }
  }

  private func importIntoEmptyTable(_ folder: URL, _ report: BenchmarkReport) throws {
    try runImport(ListStores(count: 0, folder: folder), report)
  }

  private func runImport(_ stores: ListStores, _ report: BenchmarkReport) throws {
    let observed = ObservedImport(stores, count: imported)
    let times = try measure(observed.contenders, rounds: max(1, turns / 2))
    try observed.close()
    report.table(
      Work(
        number: "W3", title: "\(imported) rows imported into \(stores.episodes.count), observed",
        rows: stores.episodes.count),
      times, comparing: "Moho, observed")
    report.ratio(
      "÷ \(times[0].name)", times[1].median / times[0].median, atMost: 1.1)
  }
}

extension IdleObserver: ExpressibleByArgument {}
extension ListEdit.Kind: ExpressibleByArgument {}
