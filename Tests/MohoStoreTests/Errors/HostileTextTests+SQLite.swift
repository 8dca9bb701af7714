import MohoMapping
import MohoRows
import MohoSQLite
import Testing

extension HostileTextTests {
  @Test func pathsHaveEscapes() {
    expectEscapes { _ = try ModelStore(path: "/\(Self.text)/\(Self.text)", models: Label.self) }
  }

  @Test func statementsHaveEscapes() throws {
    let store = try emptyStore(Label.self)
    expectEscapes { try store.write { try $0.execute(sql: "SELECT '\(Self.text)'; \(Self.text)") } }
  }
}
