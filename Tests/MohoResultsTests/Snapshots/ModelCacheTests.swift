import MohoRows
import StoreTesting
import Testing

@testable import MohoResults

@Suite(.allEngines) struct ModelCacheTests {
  private final class Batch: Sendable {}

  private func insert(
    _ rowIDs: [Int64], of generation: Int, in cache: inout ModelCache
  ) -> Batch {
    let batch = Batch()
    cache.insert(batch, of: rowIDs, in: generation, where: rowIDs.map { _ in true })
    return batch
  }

  @Test func aModelBelongsToTheGenerationsWithItsContent() {
    var cache = ModelCache(capacity: 10)
    let old = insert([1, 2], of: 0, in: &cache)
    cache.close([1], at: 3)
    let new = insert([1], of: 3, in: &cache)

    #expect(cache.model(of: 1, in: 2)?.batch === old)
    #expect(cache.model(of: 1, in: 3)?.batch === new)
    #expect(cache.model(of: 2, in: 3)?.batch === old)
    #expect(cache.model(of: 2, in: 3)?.offset == 1)
    #expect(cache.model(of: 3, in: 3) == nil)
  }

  @Test func aModelThatIsReadAgainBelongsToEarlierGenerationsToo() {
    var cache = ModelCache(capacity: 10)
    _ = insert([1], of: 2, in: &cache)
    let again = insert([1], of: 5, in: &cache)

    #expect(cache.model(of: 1, in: 2)?.batch === again)
    #expect(cache.model(of: 1, in: 1) == nil)
  }

  @Test func theOldestBatchesAreEvictedFirst() {
    var cache = ModelCache(capacity: 4)
    _ = insert([1, 2], of: 0, in: &cache)
    let second = insert([3, 4], of: 0, in: &cache)
    _ = insert([2, 5], of: 0, in: &cache)

    #expect(!cache.contains(1))
    #expect(cache.contains(2))
    #expect(cache.model(of: 3, in: 0)?.batch === second)
    #expect(cache.contains(5))
  }

  @Test func formerModelsAreEvictedWithTheirBatch() {
    var cache = ModelCache(capacity: 2)
    _ = insert([1], of: 0, in: &cache)
    cache.close([1], at: 1)
    _ = insert([1], of: 1, in: &cache)
    #expect(cache.model(of: 1, in: 0) != nil)
    _ = insert([2], of: 1, in: &cache)

    #expect(cache.model(of: 1, in: 0) == nil)
    #expect(cache.model(of: 1, in: 1) != nil)
  }

  @Test func batchesBeyondTheCapacityAreNotCached() {
    var cache = ModelCache(capacity: 2)
    let cached = insert([1], of: 0, in: &cache)
    _ = insert([1, 2, 3], of: 0, in: &cache)

    #expect(cache.model(of: 1, in: 0)?.batch === cached)
    #expect(!cache.contains(2))
  }

  @Test func aModelReadAfterItsRowChangedAndChangedBackIsNotCachedForTheStateBetween() {
    let history = SnapshotHistory(cacheCapacity: 10)
    let tokens = (0...2).map { history.token(for: $0) }
    for (generation, values) in [(1, (5, 6)), (2, (6, 5))] as [(Int, (UInt64, UInt64))] {
      var touched = TouchedRows()
      touched.writtenRows[1] = RowDelta(before: .row([values.0]), after: .row([values.1]))
      history.record(touched, generation: generation, isNew: true)
    }

    let isOfState = history.insert(
      Batch(), of: [1], in: 0, readAfter: 2, unsettled: [])

    #expect(isOfState == [true])
    #expect(history.model(of: 1, in: 1) == nil)
    withExtendedLifetime(tokens) {}
  }
}
