import Testing

@testable import MohoResults

@Suite struct GroupIDTests {
  @Test func anIDContainsTheIndexAndTheNumberOfEarlierGroups() {
    let first = GroupID.first(slot: 7)
    let third = GroupID.next(after: GroupID.next(after: first))

    #expect(GroupID.slot(of: third) == 7)
    #expect(third >> 32 == 2)
  }
}
