import Fixtures
import MohoMapping
import MohoRows
import MohoSQLite
import Testing

extension RequestTests {
  @Test func moreValuesThanSQLiteTakesAreSaid() throws {
    let request = ModelRequest<Episode>().filter { $0.id.isOne(of: 0...40_000) }

    let error = #expect(throws: StoreError.self) { try store.fetch(request) }

    #expect(error?.reason == "the filter has more than 32,766 values")
  }
}
