import Fixtures
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

extension AsyncStoreTests {
  @Test func aClosedStoreThrows() async throws {
    try await StoreMedium.parallel.withStore { store in
      try store.writer.close()
      await #expect(throws: StoreError.self) { try await store.write { _ in } }
      await #expect(throws: StoreError.self) { try await store.read { _ in } }
    }
  }
}
