import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension DerivedIndexTests {
  @Test(.engine(.sqlite)) func anOrderByAllKeysOfAnIndexSortsNothing() throws {
    let request = ModelRequest<Season>().order(by: \.title).order(by: \.number)

    let explanation = try store.explain(request)

    #expect(explanation.indexes == ["Season(title,number)"])
    #expect(!explanation.plan.contains { $0.contains("TEMP B-TREE") })
  }
}
