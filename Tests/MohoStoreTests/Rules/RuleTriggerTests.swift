import MohoMapping
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// The triggers that record the changes of a transaction for rules over related rows.
@Suite(.engine(.postgres)) struct RuleTriggerTests {
  private enum Unchecked {
    struct Item: MappedModel {
      var id: Int
      var weight: Int
      static let mapping = Mapping(
        "Item", Item.init, .key("id", \.id, .unique), .key("weight", \.weight))
    }

    struct Box: MappedModel {
      var id: Int
      var items: [Item]
      static let mapping = Mapping(
        "Box", Box.init, .key("id", \.id, .unique), .toMany("items", \.items))
    }
  }

  /// The same tables with a rule.
  private enum Checked {
    typealias Item = Unchecked.Item

    struct Box: MappedModel {
      var id: Int
      var items: [Item]
      static let mapping = Mapping(
        "Box", Box.init, .key("id", \.id, .unique), .toMany("items", \.items)
      ).validating("light items") { $0.items.reduce(0) { $0 + $1.weight } <= 10 }
    }
  }

  /// The same tables with another column.
  private enum Extended {
    struct Item: MappedModel {
      var id: Int
      var weight: Int
      var note: String?
      static let mapping = Mapping(
        "Item", Item.init, .key("id", \.id, .unique), .key("weight", \.weight),
        .key("note", \.note))
    }

    struct Box: MappedModel {
      var id: Int
      var items: [Item]
      static let mapping = Mapping(
        "Box", Box.init, .key("id", \.id, .unique), .toMany("items", \.items))
    }
  }

  private struct Other: MappedModel {
    var id: Int
    static let mapping = Mapping("Other", Other.init, .key("id", \.id, .unique))
  }

  private let url: String
  private let connection: PostgresConnection

  init() throws {
    url = try PostgresServer.shared().emptySchema()
    connection = try PostgresConnection(url)
  }

  /// The tables whose triggers record changes for transactions.
  private func recordedTables() throws -> Set<String> {
    let rows = try connection.query(
      """
      SELECT c.relname::text FROM pg_trigger t
      JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
      WHERE c.relnamespace = current_schema()::regnamespace
        AND p.prosrc LIKE '%\(LogName.transactionTables)%'
      """
    ).rows
    return Set(rows.map { $0.string(0) })
  }

  /// The versions of all functions.
  private func functions() throws -> [String] {
    try connection.query(
      """
      SELECT concat(proname, ' ', xmin) FROM pg_proc
      WHERE pronamespace = current_schema()::regnamespace ORDER BY 1
      """
    ).rows.map { $0.string(0) }
  }

  @Test func onlyTablesThatRulesReadRecordForTransactions() throws {
    _ = try ModelStore(postgres: url, models: Checked.Box.self, Other.self)

    #expect(try recordedTables() == ["Box", "Item", "_moho_Box_items"])
  }

  @Test func tablesWithoutRulesDoNotRecordForTransactions() throws {
    let store = try ModelStore(postgres: url, models: Unchecked.Box.self, Other.self)
    try store.write { try $0.save(Unchecked.Box(id: 1, items: [.init(id: 1, weight: 99)])) }

    #expect(try recordedTables() == [])
  }

  @Test func aStoreWithoutRulesKeepsTheTriggersOfAnother() throws {
    _ = try ModelStore(postgres: url, models: Unchecked.Box.self)
    #expect(try recordedTables() == [])
    let store = try ModelStore(postgres: url, models: Checked.Box.self)
    #expect(try recordedTables() == ["Box", "Item", "_moho_Box_items"])
    try store.write { try $0.save(Checked.Box(id: 1, items: [.init(id: 1, weight: 4)])) }
    func expectRule() {
      let error = #expect(throws: MappingError.self) {
        try store.write { try $0.save(Checked.Item(id: 1, weight: 11)) }
      }
      #expect(error?.row == "`Box` 1")
    }
    expectRule()

    let before = try functions()
    _ = try ModelStore(postgres: url, models: Unchecked.Box.self)
    #expect(try functions() == before)
    expectRule()

    _ = try ModelStore(postgres: url, models: Extended.Box.self)
    #expect(try functions() != before)
    #expect(try recordedTables() == ["Box", "Item", "_moho_Box_items"])
    expectRule()
  }
}
