import Fixtures
import GRDB
import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension AsyncStoreTests {
  @Test(.engine(.sqlite)) func aClosedStoreThrows() async throws {
    try await StoreMedium.file.withStore { store in
      try store.writer.close()
      await #expect(throws: StoreError.self) { try await store.write { _ in } }
      await #expect(throws: StoreError.self) { try await store.read { _ in } }
    }
  }
}
