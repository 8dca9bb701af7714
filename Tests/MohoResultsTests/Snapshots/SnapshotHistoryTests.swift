import MohoMapping
import MohoRows
import Testing

@testable import MohoResults

@Suite struct SnapshotHistoryTests {
  private let history = SnapshotHistory(cacheCapacity: 10)
  private let tokens: [GenerationToken]

  /// A history with a cached model of each of two rows.
  init() {
    tokens = [history.token(for: 0)]
    let models = [1, 2].map { Card(id: $0, deck: nil, rank: $0, title: "") }
    _ = history.insert(
      ModelBatch(models), of: [1, 2], in: 0, readAfter: 0, unsettled: [])
  }

  private func hasModel(of row: Int64, in generation: Int) -> Bool {
    history.model(of: row, in: generation) != nil
  }

  @Test func modelsOfOtherRowsBelongToTheStateAfterACommit() {
    var touched = TouchedRows()
    touched.writtenRows[1] = RowDelta(before: .row([1]), after: .row([3]))
    history.record(touched, generation: 1, isNew: true)

    #expect(hasModel(of: 1, in: 0) && hasModel(of: 2, in: 0))
    #expect(!hasModel(of: 1, in: 1) && hasModel(of: 2, in: 1))
  }

  @Test func noModelBelongsToTheStateAfterChangesOfUnknownRows() {
    var touched = TouchedRows()
    touched.keysOfUnknownRows = ["deck"]
    history.record(touched, generation: 1, isNew: true)

    #expect(hasModel(of: 1, in: 0) && hasModel(of: 2, in: 0))
    #expect(!hasModel(of: 1, in: 1) && !hasModel(of: 2, in: 1))
  }

  @Test func noModelBelongsToTheStateAfterUnknownChanges() {
    history.record(nil, generation: 1, isNew: true)

    #expect(hasModel(of: 2, in: 0) && !hasModel(of: 2, in: 1))
  }

  @Test func noModelIsCachedUntilACommitCanBeProcessedAgain() {
    func insert() -> [Bool] {
      let model = Card(id: 3, deck: nil, rank: 3, title: "")
      return history.insert(
        ModelBatch([model]), of: [3], in: 0, readAfter: 0, unsettled: [])
    }

    history.suspend()
    #expect(insert() == [false])
    #expect(!hasModel(of: 3, in: 0))

    history.record(TouchedRows(), generation: 0, isNew: false)
    #expect(insert() == [true])
    #expect(hasModel(of: 3, in: 0))
  }
}
