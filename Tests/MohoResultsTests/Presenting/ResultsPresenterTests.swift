import MohoChanges
import MohoResults
import MohoRows
import StoreTesting
import Testing

@MainActor @Suite(.allEngines, .timeLimit(.minutes(20))) struct ResultsPresenterTests {
  private let store: ModelStore

  init() throws { store = try .cards() }

  private func presenter() throws -> ResultsPresenter<Card> {
    try ResultsPresenter(
      ResultsController(
        ModelRequest<Card>().order(by: \.deck).order(by: \.rank), in: store, sectionedBy: \.deck))
  }

  /// Runs a closure that writes, and waits until the delegate has been called.
  private func present(
    _ presenter: ResultsPresenter<Card>, _ log: DelegateLog, _ write: () throws -> Void
  ) async throws {
    log.presenter = presenter
    presenter.delegate = log
    let task = Task { try await presenter.present() }
    try write()
    await log.ended()
    task.cancel()
    try await task.value
  }

  @Test func theDelegateIsCalledBeforeForSectionsForRowsAndAfter() async throws {
    let (presenter, log) = (try presenter(), DelegateLog())

    try await present(presenter, log) {
      try store.write { writer in
        try writer.save(Card(id: 1, deck: "birds", rank: 9, title: "Robin"))
        try writer.save(Card(id: 3, deck: "ants", rank: 1, title: "Pike"))
        try writer.save(Card(id: 4, deck: "birds", rank: 1, title: "Jay"))
      }
    }

    #expect(
      log.calls == [
        "will apply, 3 cards of birds, fish",
        "delete section 1 \"fish\"",
        "insert section 0 \"ants\"",
        "move [1, 0] → [0, 0] changed deck",
        "insert [1, 0]",
        "move [0, 0] → [1, 2] changed rank, title",
        "did apply, 4 cards of ants, birds",
      ])
  }

  @Test func aSecondCallTakesOver() async throws {
    let (presenter, log) = (try presenter(), DelegateLog())
    log.presenter = presenter
    presenter.delegate = log
    let first = Task { try await presenter.present() }
    await Task.yield()
    let second = Task { try await presenter.present() }
    await Task.yield()

    try await store.write { try $0.save(Card(id: 4, deck: "birds", rank: 1, title: "Jay")) }
    await log.ended()
    try await first.value
    second.cancel()
    try await second.value

    #expect(
      log.calls == [
        "will apply, 3 cards of birds, fish", "insert [0, 1]", "did apply, 4 cards of birds, fish",
      ])
  }

  @Test func theSnapshotMatchesWhatTheDelegateKnows() async throws {
    let (presenter, log) = (try presenter(), DelegateLog())
    try await store.write { try $0.save(Card(id: 9, deck: "birds", rank: 9, title: "Jay")) }

    #expect(presenter.snapshot.count == 3)
    try await present(presenter, log) {}

    #expect(presenter.snapshot.count == 4)
    #expect(log.calls.first == "will apply, 3 cards of birds, fish")
  }

  @Test func aPresenterDoesNotRetainItsDelegate() throws {
    let presenter = try presenter()
    do {
      let log = DelegateLog()
      presenter.delegate = log
      #expect(presenter.delegate != nil)
    }
    #expect(presenter.delegate == nil)
  }
}

/// Logs the calls of a delegate, and the presented state at each call.
@MainActor private final class DelegateLog: ResultsControllerDelegate {
  var calls: [String] = []
  var presenter: ResultsPresenter<Card>?
  private var waiter: CheckedContinuation<Void, Never>?
  private var hasEnded = false

  func ended() async {
    if hasEnded { return }
    await withCheckedContinuation { waiter = $0 }
  }

  private var shown: String {
    guard let snapshot = presenter?.snapshot else { return "" }
    return "\(snapshot.count) cards of \(snapshot.sections.map(\.name).joined(separator: ", "))"
  }

  func controller(
    _ controller: any PresentedResults<Card>, willApply update: ResultsUpdate<Card>
  ) {
    calls.append("will apply, \(shown)")
  }

  func controller(_ controller: any PresentedResults<Card>, didChange section: SectionChange) {
    calls.append("\(section)")
  }

  func controller(_ controller: any PresentedResults<Card>, didChange row: RowChange) {
    calls.append("\(row)")
  }

  func controller(
    _ controller: any PresentedResults<Card>, didApply update: ResultsUpdate<Card>
  ) {
    calls.append("did apply, \(shown)")
    hasEnded = true
    waiter?.resume()
    waiter = nil
  }
}
