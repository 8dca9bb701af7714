import MohoMapping
import Testing

@Suite struct MergingTests {
  private func merge(_ incoming: TestModel, into stored: TestModel) -> TestModel {
    TestModel.mapping.merge(incoming, into: stored)
  }

  @Test func eachKeyIsMergedByItsPolicy() {
    let stored = TestModel.make(
      name: "foo", count: 5, nestedName: "kept", role: "first", age: 9, isShown: false)
    let incoming = TestModel.make(
      name: "bar", count: 3, nestedName: nil, role: "second", age: 7, isShown: true)

    #expect(
      merge(incoming, into: stored)
        == .make(name: "bar", count: 8, nestedName: "kept", role: "first", age: 9, isShown: true))
  }

  @Test func withoutAPolicyTheIncomingValueIsUsed() {
    #expect(merge(.make(name: nil), into: .make(name: "foo")).name == nil)
  }

  @Test func aValueIsTakenFromTheNewerModel() {
    #expect(merge(.make(age: 3), into: .make(age: 2)).age == 3)
    #expect(merge(.make(age: 2), into: .make(age: 3)).age == 3)
  }

  @Test func nonNilValuesAreMerged() {
    #expect(merge(.make(nestedName: "new"), into: .make(nestedName: "old")).nestedName == "new")
  }
}
