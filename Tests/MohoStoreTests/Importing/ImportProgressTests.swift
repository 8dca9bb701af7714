import Fixtures
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

/// Tests of the progress that saving many models reports.
@Suite(.allEngines) struct ImportProgressTests {
  /// A way to save a number of models.
  enum Import: CaseIterable {
    case array, sequence, repeatedModels, graphs, fields, fieldsThatNeedModels, mirror

    func run(
      _ count: Int, _ writer: StoreWriter, _ progress: @escaping ImportProgress.Handler
    ) throws -> SaveReport {
      let episodes = (0..<count).map { Episode.number($0) }
      switch self {
      case .array: return try writer.save(episodes, progress: progress)
      case .sequence:
        return try writer.save(
          Swift.sequence(first: 0) { $0 + 1 }.prefix(count).lazy.map { Episode.number($0) },
          progress: progress)
      case .repeatedModels:
        // The first model is also the last one, with another title.
        let models =
          count > 1 ? episodes.dropLast() + [Episode.number(0, title: "again")] : episodes
        return try writer.save(models, progress: progress)
      case .graphs:
        let series = (0..<count).map { Series(id: $0, title: "Series", parts: []) }
        return try writer.save(series, progress: progress)
      case .fields: return try writer.save(decoding: document(count), progress: progress)
      case .fieldsThatNeedModels:
        return try writer.save(decoding: document(count, repeats: true), progress: progress)
      case .mirror:
        return try writer.save(
          episodes, mode: .mirror(ModelRequest<Episode>(), deletingAtMost: 1), progress: progress)
      }
    }

    /// - Parameter repeats: Whether the first object is also the last one, with
    ///   another name. Models are created then.
    private func document(_ count: Int, repeats: Bool = false) -> UndecodedModels<Name> {
      let items = (0..<count).map { index in
        let isRepeated = repeats && count > 1 && index == count - 1
        return #"{"id": \#(isRepeated ? 0 : index), "name": "n\#(index)"}"#
      }
      return JSONAdapter<Name>().fields(from: Data("[\(items.joined(separator: ","))]".utf8))
    }
  }

  private func store() throws -> ModelStore {
    try emptyStore(Episode.self, Series.self, Name.self)
  }

  @Test(arguments: Import.allCases, [0, 1, 999, 1_000, 1_001, 2_500])
  func itIsReportedAfterEachThousandModels(_ kind: Import, _ count: Int) throws {
    let store = try store()
    var reports: [ImportProgress] = []

    try store.write { writer in _ = try kind.run(count, writer) { reports.append($0) } }

    let counts = reports.map(\.completedModels)
    let thousands = Array(stride(from: 1_000, through: count, by: 1_000))
    #expect(Set(counts) == Set(thousands + [count]))
    #expect(counts == counts.sorted())
    #expect(reports.last?.totalModels == count)
    #expect(reports.last?.fraction == 1)
    let fractions = reports.compactMap(\.fraction)
    #expect(fractions == fractions.sorted())
    switch kind {
    case .sequence:
      #expect(reports.dropLast().allSatisfy { $0.totalModels == nil && $0.fraction == nil })
    case .fields:
      let size = reports.last?.totalBytes
      #expect(size != nil)
      #expect(reports.allSatisfy { $0.totalBytes == size })
      #expect(reports.last?.completedBytes == size)
    case .fieldsThatNeedModels: break
    case .array, .repeatedModels, .graphs, .mirror:
      #expect(reports.allSatisfy { $0.totalModels == count && $0.totalBytes == nil })
    }
  }

  @Test(arguments: Import.allCases)
  func theReportOfTheCallIsThatWithoutProgress(_ kind: Import) throws {
    let report = try store().write { try kind.run(1_500, $0) { _ in } }
    let again = try store().write { writer in
      _ = try kind.run(1_500, writer) { _ in }
      return try kind.run(1_500, writer) { _ in }
    }

    #expect(report.inserted >= 1_499)
    #expect(again.unchanged == 1_500)
  }

  @Test(arguments: Import.allCases, [1, 2])
  func anErrorOfTheHandlerEndsTheCall(_ kind: Import, _ number: Int) throws {
    struct Stop: Error {}
    let store = try store()
    var count = 0

    try store.write { writer in
      try writer.save(Episode.number(-1))
      #expect(throws: Stop.self) {
        try kind.run(1_500, writer) { _ in
          count += 1
          if count == number { throw Stop() }
        }
      }
    }

    #expect(count == number)
    #expect(try store.fetchIdentities(ModelRequest<Episode>()) == [-1])
    #expect(try !store.exists(ModelRequest<Series>()))
    #expect(try !store.exists(ModelRequest<Name>()))
  }

  @Test(arguments: Import.allCases)
  func anImportCanBeCanceled(_ kind: Import) async throws {
    let store = try store()
    let task = Mutex<Task<Int, any Error>?>(nil)
    let canceled = Task {
      while task.withLock({ $0 == nil }) { await Task.yield() }
      return try await store.write { writer in
        try kind.run(2_500, writer) { _ in task.withLock { $0?.cancel() } }.inserted
      }
    }
    task.withLock { $0 = canceled }

    await #expect(throws: CancellationError.self) { try await canceled.value }
    #expect(try await !store.exists(ModelRequest<Episode>()))
    #expect(try await !store.exists(ModelRequest<Series>()))
    #expect(try await !store.exists(ModelRequest<Name>()))
  }

  @Test(
    arguments: [
      (ImportProgress(completedModels: 0, totalModels: 0), 1),
      (ImportProgress(completedModels: 1, totalModels: 4), 0.25),
      (ImportProgress(completedModels: 1), nil),
      (ImportProgress(completedModels: 1, completedBytes: 3, totalBytes: 4), 0.75),
      (ImportProgress(completedModels: 0, completedBytes: 0, totalBytes: 0), 1),
    ] as [(ImportProgress, Double?)])
  func theFractionIsThatOfTheTotal(_ progress: ImportProgress, _ fraction: Double?) {
    #expect(progress.fraction == fraction)
  }
}

private struct Name: MappedModel {
  var id: Int
  var name: String

  static let mapping = Mapping(
    "Name", Name.init, .key("id", \.id, .unique), .key("name", \.name))
}
