import MohoResults
import MohoRows
import StoreTesting
import Testing

@Suite struct OrderingLimitTests {
  @Test func moreOrderingsThanSQLiteTakesAreALimit() async throws {
    let store = try emptyStore(Card.self)
    let request = (0..<10_000).reduce(ModelRequest<Card>()) { request, _ in
      request.order(by: \.note)
    }

    let error = await #expect(throws: StoreError.self) {
      _ = try await ResultsController(request, in: store)
    }

    #expect(error?.code == .limitExceeded)
  }
}
