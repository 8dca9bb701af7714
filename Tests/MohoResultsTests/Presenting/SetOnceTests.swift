import Testing

@testable import MohoResults

@MainActor @Suite struct SetOnceTests {
  @Test func theStateIsSetOnceIfTheViewSetsItOrNot() {
    var count = 0

    setOnce(applying: { (_: Int, set) in set() }, to: 1) { count += 1 }
    #expect(count == 1)

    setOnce(applying: { (_: Int, _) in }, to: 1) { count += 1 }
    #expect(count == 2)
  }
}
