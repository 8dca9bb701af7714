import MohoRows
import Testing

/// The order of tokens, without a database.
@Suite struct HistoryTokenOrderTests {
  private func token(_ unseen: UnseenTransactions...) -> HistoryToken {
    HistoryToken(history: "a", sequence: 12, time: 0, unseen: unseen)
  }

  @Test func aTokenPrecedesOneThatLacksFewerTransactions() {
    let both = UnseenTransactions(first: 5, last: 8)
    let tokens = [
      token(both, UnseenTransactions(first: 10, last: 10)),
      token(both, UnseenTransactions(first: 11, last: 11)), token(both),
    ]

    for (position, one) in tokens.enumerated() {
      for (otherPosition, other) in tokens.enumerated() {
        #expect((one < other) == (position < otherPosition), "\(position) \(otherPosition)")
      }
    }
  }
}
