import MohoMapping
import MohoRows
import Testing

private typealias Show = Shows.Show

/// What requests become once their keys have been found in a schema.
@Suite struct ResolvedRequestTests {
  @Test func aRequestReadsTheLinkTablesOfItsRelationships() throws {
    let request = RowRequest("Guest").filter { $0["episodes"].any { $0["title"] == "a" } }

    let resolved = try ResolvedRequest(request, Library.store().schema)

    #expect(resolved.tables == ["Episode", "_moho_Episode_guests"])
  }

  @Test func onlyTermsWithTheOrderOfAnIndexAreColumns() throws {
    let request = ModelRequest<Show>().order(by: \.title).order(by: \.season)
    let resolved = try ResolvedRequest(request.rows, ModelStore.shows().schema)

    let terms = ResultTerm.terms(of: resolved) { $0.operand.type == .string }

    #expect(terms.map(\.column) == ["title", nil, "id"])
  }

  @Test func selectedValuesAreComputedInMemory() throws {
    let store = try ModelStore.shows()
    let values = ModelRequest<Show>().order(by: \.number).values { [$0.title, $0.season] }
    let resolved = try ResolvedRequest(
      values.request, store.schema, selecting: values.operands)

    let evaluator = try RequestEvaluator(resolved)
    let rows = evaluator.sorted(try StoredRows(store)["Show"])

    #expect(
      rows.map { evaluator.selectedValues(of: $0) } == [
        [.string("Swift"), .int64(1)], [.string("été"), .null], [.string("Élan"), .int64(2)],
        [.string("apple"), .int64(2)],
      ])
  }
}
