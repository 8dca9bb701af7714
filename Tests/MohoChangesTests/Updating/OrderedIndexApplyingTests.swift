import MohoChanges
import Testing

@Suite struct OrderedIndexApplyingTests {
  @Test func changeSetWithoutRecordsLeavesTheList() throws {
    let index = try OrderedIndex("A: 1 2 | B: 3")

    #expect(try index.applying(ChangeSet(json: "{}")) == index)
  }

  @Test(arguments: [
    ("1 2", #"{"rows":[{"id":3,"old":[0,0]}]}"#, "found no row, expected [0, 0] before"),
    ("1 2", #"{"rows":[{"id":2,"old":[0,0]}]}"#, "found [0, 1], expected [0, 0] before"),
    ("1 2", #"{"rows":[{"id":2,"new":[0,0]}]}"#, "found [0, 1], expected no row before"),
    ("1 2", #"{"rows":[{"id":3,"new":[0,3]}]}"#, "found fewer rows before [0, 3]"),
    ("1 2", #"{"rows":[{"id":3,"new":[1,0]}]}"#, "found fewer rows before [1, 0]"),
    ("A: 1", #"{"rows":[{"id":1,"old":[0,0]}]}"#, "found a section without rows after"),
    (
      "A: 1 2",
      #"{"sections":[{"delete":0,"key":"A"}],"rows":[{"id":1,"old":[0,0]}]}"#,
      "found 1 more rows in deleted section 0"
    ),
    (
      "A: 1", #"{"sections":[{"delete":0,"key":"B"}],"rows":[{"id":1,"old":[0,0]}]}"#,
      #"found section "A" at 0, expected section "B""#
    ),
    ("A: 1", #"{"sections":[{"delete":1,"key":"B"}]}"#, "found no section at 1"),
    (
      "A: 1", #"{"sections":[{"insert":3,"key":"B"}],"rows":[{"id":2,"new":[3,0]}]}"#,
      "found 1 sections, expected at least 3"
    ),
    (
      "A: 1", #"{"sections":[{"insert":1,"key":"A"}],"rows":[{"id":2,"new":[1,0]}]}"#,
      #"found section "A" before its insertion"#
    ),
    ("A: 1", #"{"sections":[{"insert":1,"key":"B"}]}"#, "found a section without rows after"),
    (
      "1", #"{"sections":[{"insert":1,"key":"B"}],"rows":[{"id":2,"new":[1,0]}]}"#,
      "found other sections"
    ),
    ("A: 1", #"{"sections":[{"insert":0,"key":{"all":true}}]}"#, "found other sections"),
  ])
  func changeOfAnotherListIsRefused(list: String, json: String, message: String) throws {
    let (index, changes) = (try OrderedIndex(list), try ChangeSet(json: json))

    let error = #expect(throws: ChangeSetError.self) { try index.applying(changes) }
    #expect(error?.code == .listMismatch)
    #expect(error?.description.contains(message) == true, "\(String(describing: error))")
  }

  @Test func updateThatShiftsWithoutAReasonIsRefused() throws {
    let changes = try ChangeSet(
      json: #"{"rows":[{"id":9,"new":[0,0]},{"id":2,"old":[0,1],"new":[0,2],"changed":["a"]}]}"#)

    #expect(try OrderedIndex("1 2").applying(changes).notation == "9 1 2")
    #expect(throws: ChangeSetError.self) { try OrderedIndex("2 1").applying(changes) }
  }

  @Test func updateThatMovesItsRowIsRefused() throws {
    let update = RowChange.update(2, from: RowPath(0, 1), to: RowPath(0, 0), changed: ["title"])

    let error = #expect(throws: ChangeSetError.self) {
      try OrderedIndex("1 2").applying(ChangeSet(rows: [update]))
    }
    #expect(error?.description.contains("found [0, 1], expected [0, 0] after the change") == true)
  }
}
