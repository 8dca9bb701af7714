import MohoMapping
import MohoRows
import Testing

extension ConstraintErrorTests {
  @Test(arguments: [("priority", "'x'"), ("isCompleted", "x'00'")])
  func aValueOfAnotherTypeNamesItsKey(key: String, value: String) throws {
    let error = #expect(throws: StoreError.self) {
      try execute("UPDATE Task SET \(key) = \(value)")
    }

    #expect(error?.code == .invalidValue)
    #expect(error?.entity == "Task")
    #expect(error?.keys == [key])
  }

  @Test func aCheckOfAKeyThatSeveralEntitiesHaveNamesTheTableOfTheStatement() throws {
    let one = Entity("One", attributes: [Attribute("flag", .boolean)])
    let other = Entity("Other", attributes: [Attribute("flag", .boolean)])
    let store = try emptyStore(entities: [one, other])

    let error = #expect(throws: StoreError.self) {
      try store.execute("INSERT INTO \"Other\" (flag) VALUES (2)")
    }

    #expect(error?.entity == "Other")
    #expect(error?.keys == ["flag"])
  }
}
