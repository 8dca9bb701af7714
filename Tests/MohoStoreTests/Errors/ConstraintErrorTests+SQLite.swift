import MohoMapping
import MohoRows
import StoreTesting
import Testing

extension ConstraintErrorTests {
  @Test(.engine(.sqlite), arguments: [("priority", "'x'"), ("isCompleted", "x'00'")])
  func aValueOfAnotherTypeNamesItsKey(key: String, value: String) throws {
    let error = #expect(throws: StoreError.self) {
      try execute("UPDATE Task SET \(key) = \(value)")
    }

    #expect(error?.code == .invalidValue)
    #expect(error?.entity == "Task")
    #expect(error?.keys == [key])
  }

  @Test(.engine(.sqlite)) func aCheckOfAKeyThatSeveralEntitiesHaveNamesTheTableOfTheStatement()
    throws
  {
    let one = Entity("One", attributes: [Attribute("flag", .boolean)])
    let other = Entity("Other", attributes: [Attribute("flag", .boolean)])
    let store = try emptyStore(entities: [one, other])

    let error = #expect(throws: StoreError.self) {
      try store.execute("INSERT INTO \"Other\" (flag) VALUES (2)")
    }

    #expect(error?.entity == "Other")
    #expect(error?.keys == ["flag"])
  }

  @Test(.engine(.sqlite)) func aDanglingReferenceNamesItsRowAndWhereItLeads() throws {
    let error = #expect(throws: StoreError.self) {
      try execute("UPDATE \"Task\" SET list = 7 WHERE _moho_id = 12")
    }

    #expect(
      error?.description == """
        dangling reference: `Task.list` of row 12 refers to `List` 7, which does not exist; \
        save the rows that are referred to in the same transaction; \
        to delete a `List`, declare `Task.list` with \
        `whenTargetIsDeleted: .cascade`, or delete those rows as well
        """)
  }

  @Test(.engine(.sqlite)) func deletingARequiredTargetNamesRowsAndADeleteRule() throws {
    struct Milestone: MappedModel {
      var id: Int
      static let mapping = Mapping("Milestone", Milestone.init, .key("id", \.id, .unique))
    }
    struct Issue: MappedModel {
      var id: Int
      var milestone: ModelReference<Milestone>
      static let mapping = Mapping(
        "Issue", Issue.init, .key("id", \.id, .unique), .toOne("milestone", \.milestone))
    }
    let store = try emptyStore(Milestone.self, Issue.self)
    try store.write { writer in
      try writer.save(Milestone(id: 50))
      try writer.save((100..<195).map { try Issue(id: $0, milestone: ModelReference(key: 50)) })
    }

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.delete(ModelRequest<Milestone>()) }
    }

    #expect(
      error?.description == """
        dangling reference: `Issue.milestone` of 95 rows, such as 100, 101, 102, 103, 104, refers \
        to rows that do not exist, such as `Milestone` 50; save the rows that are referred to in \
        the same transaction; to delete a `Milestone`, declare `Issue.milestone` with \
        `whenTargetIsDeleted: .cascade`, or delete those rows as well
        """)
    #expect(error?.keys == ["milestone"])
    #expect(try store.fetchCount(ModelRequest<Milestone>()) == 1)
  }
}
