import MohoMapping
import MohoRows
import MohoSQLite
import StoreTesting
import Testing

extension HostileTextTests {
  @Test(.engine(.sqlite)) func pathsHaveEscapes() {
    expectEscapes { _ = try ModelStore(path: "/\(Self.text)/\(Self.text)", models: Label.self) }
  }

  @Test(.engine(.sqlite)) func statementsHaveEscapes() throws {
    let store = try emptyStore(Label.self)
    expectEscapes { try store.write { try $0.execute(sql: "SELECT '\(Self.text)'; \(Self.text)") } }
  }
}
