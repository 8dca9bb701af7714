import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import MohoRows
import StoreTesting
import Synchronization
import Testing

/// Tests that saving field sources has the same results as saving models.
@Suite(.allEngines) struct FieldSavingTests {
  /// Records the reported commits.
  private final class Recorder: Sendable {
    let commits = Mutex<[[String: RowWriteSet]]>([])
  }

  /// A store whose commits are recorded.
  struct WatchedStore {
    let store: ModelStore
    private let recorder: Recorder
    private let subscription: CommitSubscription

    init() throws {
      store = try emptyStore(ImportedShow.self)
      (recorder, subscription) = try store.observe({ _ in Recorder() }) { recorder, commit, _ in
        guard let commit = try? commit.get() else { return }
        recorder.commits.withLock { $0.append(commit.tables) }
      }
    }

    /// Returns the outcome of a write: its report or error, the stored rows,
    /// and the reported commits.
    func outcome(of save: (StoreWriter) throws -> SaveReport) throws -> Outcome {
      var result = ""
      do {
        result = "\(try store.write(save))"
      } catch {
        result = "\(type(of: error)): \(error)"
      }
      return Outcome(
        result: result,
        rows: try store.dump().filter { $0.hasPrefix("Show: ") },
        commits: recorder.commits.withLock { $0 })
    }
  }

  struct Outcome: Equatable {
    let result: String
    let rows: [String]
    let commits: [[String: RowWriteSet]]
  }

  /// Saves three documents one after the other, so that rows are inserted,
  /// updated and left unchanged.
  @Test(arguments: 0..<Campaign.count(short: 15, full: 400))
  func itDoesWhatModelsDo(seed: Int) throws {
    let adapter = JSONAdapter<ImportedShow>()
    let (models, fields) = (try WatchedStore(), try WatchedStore())
    var random = RandomShows(seed: UInt64(seed))
    var last = Data()

    for round in 0..<3 {
      let document = round == 2 && !last.isEmpty ? last : random.document()
      last = document
      let expected = try models.outcome {
        try $0.save(adapter.models(from: document, at: "shows"))
      }
      let outcome = try fields.outcome {
        try $0.save(decoding: adapter.fields(from: document, at: "shows"))
      }

      #expect(outcome == expected, "seed \(seed), document \(round)")
    }
  }

  @Test func theModelOfTheseTestsNeedsNoModels() {
    #expect(ImportedShow.mapping.copier(to: FieldRecorder()) != nil)
  }

  @Test func onlySampledModelsAreCreated() throws {
    let store = try emptyStore(CountedShow.self)
    let text = (0..<1_000).map { #"{"id":\#($0),"name":"n"}"# }.joined(separator: ",")
    _ = CountedShow.mapping
    let before = CountedShow.count.withLock { $0 }

    let report = try store.write {
      try $0.save(decoding: JSONAdapter<CountedShow>().fields(from: Data("[\(text)]".utf8)))
    }

    #expect(report == SaveReport(inserted: 1_000))
    // The sampled items: those at the indexes 0 to 7, and at the powers of two
    // from 8 to 512.
    #expect(CountedShow.count.withLock { $0 } - before == 8 + 7)
  }

  @Test func rowsThatAreEqualAreNotWritten() throws {
    let (store, adapter) = (try WatchedStore(), JSONAdapter<ImportedShow>())
    let document = Data(#"[{"id":1,"title":"a \"b\""},{"id":2,"title":"c"}]"#.utf8)

    let first = try store.outcome { try $0.save(decoding: adapter.fields(from: document)) }
    let again = try store.outcome { try $0.save(decoding: adapter.fields(from: document)) }

    #expect(first.result == "\(SaveReport(inserted: 2))")
    #expect(again.result == "\(SaveReport(unchanged: 2))")
    #expect(again.commits.count == 1)
  }

  /// Text is bound without copying, from memory that is only valid during the
  /// call.
  @Test func textIsNotRetained() throws {
    let store = try emptyStore(ImportedShow.self)
    for round in 0..<3 {
      let long = String(repeating: "x\(round)", count: 20_000)
      let text = #"[{"id":\#(round),"title":"\#(long)","slug":"\#(round)\n\#(long)"}]"#
      try store.write { writer in
        try writer.save(decoding: JSONAdapter<ImportedShow>().fields(from: Data(text.utf8)))
        try store.execute("UPDATE \"Show\" SET size = 1")
      }
    }

    let shows = try store.fetch(ModelRequest<ImportedShow>().order(by: \.id))
    #expect(shows.map(\.title.utf8.count) == [40_000, 40_000, 40_000])
    #expect(shows.map { $0.slug?.utf8.count } == [40_002, 40_002, 40_002])
  }

  @Test func anErrorLeavesWhatTheTransactionDidBefore() throws {
    let (store, adapter) = (try WatchedStore(), JSONAdapter<ImportedShow>())
    let bad = Data(#"[{"id":1,"title":"a"},{"id":2}]"#.utf8)

    let outcome = try store.outcome { writer in
      try writer.save(decoding: adapter.fields(from: Data(#"[{"id":9,"title":"b"}]"#.utf8)))
      let error = #expect(throws: MappingError.self) {
        try writer.save(decoding: adapter.fields(from: bad))
      }
      #expect(
        error.map { "\($0)" } == "missing value for `Show.title` at /1/title, 1:23")
      return SaveReport()
    }

    #expect(outcome.rows.count == 1)
  }
}

/// A model that counts its instances.
private struct CountedShow: MappedModel {
  static let count = Mutex(0)

  var id: Int
  var name: String

  static let mapping = Mapping(
    "CountedShow",
    { (id: Int, name: String) in
      count.withLock { $0 += 1 }
      return CountedShow(id: id, name: name)
    }, .key("id", \.id, .unique), .key("name", \.name))
}
