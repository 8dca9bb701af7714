import MohoMapping
import Testing

@Suite struct NestedPathTests {
  @Test(
    arguments: [
      (.integer, " 12 ", .int64(12)), (.double, "-0.5", .double(-0.5)),
      (.boolean, "true", .bool(true)), (.boolean, "false", .bool(false)),
      (.structured, "null", .null), (.structured, "7", .bool(true)),
    ] as [(NestedPath.Form, String, FieldContent)])
  func numbersAndWordsAreRead(form: NestedPath.Form, text: String, content: FieldContent) {
    #expect(form.content(ofJSON: text) == content)
  }
}
