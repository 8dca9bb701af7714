import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension DeepConditionTests {
  @Test(.engine(.sqlite)) func moreOrderingsThanSQLiteTakesAreALimit() throws {
    let store = try ModelStore.shows()
    let request = (0..<2_500).reduce(RowRequest("Show")) { request, _ in request.order(by: "id") }

    let error = #expect(throws: StoreError.self) { try store.fetchIdentities(request) }

    #expect(error?.code == .limitExceeded)
  }
}
