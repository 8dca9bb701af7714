import MohoStore
import Testing

@testable import MohoResults

@Suite struct KeptModelsTests {
  private final class Batch: Sendable {}

  private func keep(
    _ rowIDs: [Int64], of generation: Int, in models: inout KeptModels
  ) -> Batch {
    let batch = Batch()
    models.keep(batch, of: rowIDs, in: generation, where: rowIDs.map { _ in true })
    return batch
  }

  @Test func aModelIsThatOfTheStatesInWhichItsRowHeldIt() {
    var models = KeptModels(capacity: 10)
    let old = keep([1, 2], of: 0, in: &models)
    models.close([1], at: 3)
    let new = keep([1], of: 3, in: &models)

    #expect(models.model(of: 1, in: 2)?.batch === old)
    #expect(models.model(of: 1, in: 3)?.batch === new)
    #expect(models.model(of: 2, in: 3)?.batch === old)
    #expect(models.model(of: 2, in: 3)?.offset == 1)
    #expect(models.model(of: 3, in: 3) == nil)
  }

  @Test func aModelThatIsReadAgainIsOfTheStatesBeforeToo() {
    var models = KeptModels(capacity: 10)
    _ = keep([1], of: 2, in: &models)
    let again = keep([1], of: 5, in: &models)

    #expect(models.model(of: 1, in: 2)?.batch === again)
    #expect(models.model(of: 1, in: 1) == nil)
  }

  @Test func theBatchesThatWereReadFirstAreLetGoOfFirst() {
    var models = KeptModels(capacity: 4)
    _ = keep([1, 2], of: 0, in: &models)
    let second = keep([3, 4], of: 0, in: &models)
    _ = keep([2, 5], of: 0, in: &models)

    #expect(!models.contains(1))
    #expect(models.contains(2))
    #expect(models.model(of: 3, in: 0)?.batch === second)
    #expect(models.contains(5))
  }

  @Test func whatRowsHeldFormerlyGoesWithItsBatch() {
    var models = KeptModels(capacity: 2)
    _ = keep([1], of: 0, in: &models)
    models.close([1], at: 1)
    _ = keep([1], of: 1, in: &models)
    #expect(models.model(of: 1, in: 0) != nil)
    _ = keep([2], of: 1, in: &models)

    #expect(models.model(of: 1, in: 0) == nil)
    #expect(models.model(of: 1, in: 1) != nil)
  }

  @Test func moreThanFitAreNotKept() {
    var models = KeptModels(capacity: 2)
    let kept = keep([1], of: 0, in: &models)
    _ = keep([1, 2, 3], of: 0, in: &models)

    #expect(models.model(of: 1, in: 0)?.batch === kept)
    #expect(!models.contains(2))
  }

  @Test func aModelThatWasReadAfterItChangedForthAndBackIsNotOfTheStateBetween() {
    let window = ModelWindow(capacity: 10)
    let lives = [window.life(of: 0), window.life(of: 1), window.life(of: 2)]
    for (generation, values) in [(1, (5, 6)), (2, (6, 5))] as [(Int, (UInt64, UInt64))] {
      var touched = TouchedRows()
      touched.written[1] = WrittenRow(before: .row([values.0]), after: .row([values.1]))
      window.note(touched, generation: generation)
    }

    let areHeld = window.admit(Batch(), of: [1], in: 0, readAfter: 2, unsettled: [])

    #expect(areHeld == [true])
    #expect(window.model(of: 1, in: 1) == nil)
    withExtendedLifetime(lives) {}
  }
}
