import MohoMapping
import Testing

@Suite struct ContainingKeyTests {
  private struct Loan: MappedModel {
    var owner: Account
    var reader: Account?
    var readerNote: String?

    static let mapping = Mapping(
      "Loan", Loan.init, .key("owner", \.owner), .key("reader", \.reader),
      .key("note", \.readerNote))
  }

  @Test func thePropertiesOfAModelAreInItsKey() {
    #expect(Loan.mapping.key(containing: \Loan.owner.name)?.name == "owner")
    #expect(Loan.mapping.key(containing: \Loan.readerNote)?.name == nil)
  }

  @Test func thePropertiesOfAnOptionalModelAreInItsKey() {
    #expect(Loan.mapping.key(containing: \Loan.reader?.name)?.name == "reader")
    #expect(Loan.mapping.key(containing: \Loan.reader!.name)?.name == "reader")
  }
}
