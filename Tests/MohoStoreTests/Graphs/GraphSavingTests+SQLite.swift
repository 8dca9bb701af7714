import MohoMapping
import MohoRows
import StoreTesting
import Testing

extension GraphSavingTests {
  @Test(.engine(.sqlite)) func storedModelsAreReadByOneStatementForEachBatch() throws {
    struct Play: MappedModel {
      var code: String
      var count: Int

      static let mapping = Mapping<Play>(
        "Play", Play.init, .key("code", \.code, .unique), .key("count", \.count)
      )
      .merging(\.count) { $0 + $1 }
    }
    let store = try emptyStore(Play.self)
    let plays = (0..<700).map { Play(code: "\($0 % 350)", count: 1) }

    for _ in 1...2 {
      let statements = try store.statements { _ = try store.write { try $0.save(plays) } }
      #expect(statements.count { $0.hasPrefix("SELECT") } == 2)
    }
  }
}
