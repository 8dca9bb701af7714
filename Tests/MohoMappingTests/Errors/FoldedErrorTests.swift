import MohoMapping
import Testing

@Suite struct FoldedErrorTests {
  private func error(
    at path: FieldPath, key: String = "assignees", found: String = "null"
  ) -> MappingError {
    MappingError(
      .unexpectedNull, model: "Issue", key: key, path: path, found: found, expected: "array")
  }

  @Test func equalErrorsOfManyElementsAreOneLine() throws {
    let errors = (0..<95).map { error(at: FieldPath([.index($0), .key("assignees")])) }

    let all = try #require(MappingError(errors))

    #expect(
      all.description
        == "unexpected null: null, expected array - `Issue.assignees` at /0/assignees;"
        + " 94 more at `/*/assignees`")
    #expect(all.errors.count == 95)
  }

  @Test func anErrorThatDiffersIsNotFolded() throws {
    let path = { (index: Int) in FieldPath([.index(index), .key("assignees")]) }
    var errors = (0..<4).map { error(at: path($0)) }
    errors.insert(error(at: path(9), found: "string \"x\""), at: 1)
    errors.append(error(at: path(9), key: "labels"))
    errors.append(error(at: "assignees"))

    let lines = try #require(MappingError(errors)).description.split(separator: "\n")

    #expect(
      lines == [
        """
        unexpected null: null, expected array - `Issue.assignees` at /0/assignees; \
        3 more at `/*/assignees`
        """,
        #"unexpected null: string "x", expected array - `Issue.assignees` at /9/assignees"#,
        "unexpected null: null, expected array - `Issue.labels` at /9/assignees",
        "unexpected null: null, expected array - `Issue.assignees` at /assignees",
      ])
  }

  @Test(arguments: 1...3) func fewErrorsHaveALineEach(count: Int) throws {
    let errors = (0..<count).map { error(at: FieldPath([.key("items"), .index($0)])) }

    let description = try #require(MappingError(errors)).description

    #expect(description.split(separator: "\n").count == count)
    #expect(!description.contains("more at"))
  }

  @Test func allArrayIndexesAreFolded() throws {
    let errors = (0..<6).map { index in
      error(at: FieldPath([.index(index / 2), .key("a/b"), .index(index % 2), .key("c")]))
    }

    #expect(try #require(MappingError(errors)).description.hasSuffix("5 more at `/*/a~1b/*/c`"))
  }
}
