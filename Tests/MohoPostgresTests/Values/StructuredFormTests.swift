import Foundation
import MohoMapping
import MohoTesting
import PostgresTesting
import StoreTesting
import Testing

@testable import MohoPostgres
@testable import MohoRows

/// Tests that the texts of structured values are the same in SQL and in memory.
@Suite(.requiresPostgres)
struct StructuredFormTests {
  private static let numbers = [
    "0", "-0", "-0.0", "0e5", "1", "-1", "1.0", "1.50", "1e2", "1E+2", "100", "1e-3", "12.34e1",
    "1e100", "-2.5e-100", "9223372036854775807", "18446744073709551616", "1.7976931348623157e308",
    "5e-324", "0.1", "123456789012345678901234567890.123456789", "10e-1",
  ]
  private static let strings = [
    #""""#, #""a""#, #""A""#, #""é""#, #""\u00e9""#, #""e\u0301""#, #""\/""#, #""/""#, #""\"""#,
    #""\\""#, #""\b\f\n\r\t""#, #""\u0001\u001F""#, "\"\u{7F}\"", #""\ud83d\ude00""#, "\"😀\"",
    "\"\u{2028}\"", #""a b: , {""#, "\"\u{E000}\"", #""\\u0041""#,
  ]

  private static func json(_ generator: inout SeededGenerator, depth: Int) -> String {
    func pick(_ values: [String]) -> String { values[generator.below(values.count)] }
    let space = pick(["", "", " ", "\n\t"])
    switch generator.below(depth > 0 ? 6 : 4) {
    case 0: return space + pick(["true", "false", "null"]) + space
    case 1: return space + pick(numbers) + space
    case 2, 3: return space + pick(strings) + space
    case 4:
      let elements = (0..<generator.below(4)).map { _ in json(&generator, depth: depth - 1) }
      return "[" + space + elements.joined(separator: ",") + "]" + space
    default:
      let members = (0..<generator.below(5)).map { _ in
        pick(strings) + space + ":" + json(&generator, depth: depth - 1)
      }
      return space + "{" + space + members.joined(separator: ",") + "}"
    }
  }

  @Test func `the form of JSON is the same in SQL and in memory`() throws {
    let store = try ModelStore(
      postgres: PostgresServer.shared().emptySchema(), Schema([Entity("A", attributes: [])]))
    try store.read { reader in
      let connection = try reader.postgres.connection
      for seed in 0..<400 as Range<UInt64> {
        var generator = SeededGenerator(seed: seed)
        let json = Self.json(&generator, depth: 1 + Int(seed % 4))
        let canonical = try #require(StructuredValue.canonical(json.utf8), "\(seed): \(json)")
        var arguments = PostgresArguments()
        try arguments.append(.string(json), as: .jsonb)
        try arguments.append(.string(canonical), as: .jsonb)

        let result = try connection.query(
          "SELECT \(PostgresFunctions.json)($1), $1, $1 = $2", arguments)

        #expect(result[0].string(0) == canonical, "seed \(seed): \(json)")
        #expect(try result[0].content(1, as: .jsonb) == .string(canonical), "seed \(seed): \(json)")
        #expect(result[0].bool(2), "seed \(seed): \(json)")
        #expect(StructuredValue.canonical(canonical.utf8) == canonical, "seed \(seed): \(json)")
      }
    }
  }

  @Test(
    arguments: [
      "", " ", "a", "[", "]", "[1,]", "[,1]", "{", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}",
      "01",
      "1.", ".5", "-", "1e", "+1", "\"", "\"\u{1}\"", #""\x""#, #""\u12""#, #""\ud800""#, "1 2",
      "tru", "nan",
    ])
  func `other text is not JSON`(text: String) {
    #expect(StructuredValue.canonical(text.utf8) == nil)
  }

  @Test func `deep values are refused`() {
    let depth = 512
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(StructuredValue.canonical(deep.utf8) == deep)
    #expect(StructuredValue.canonical("[\(deep)]".utf8) == nil)
    #expect(StructuredValue.canonical(String(repeating: "[", count: 1_000_000).utf8) == nil)
  }

  struct Chart: MappedModel, Equatable {
    var id: Int
    var values: [Double] = []
    var amounts: [Decimal] = []
    var names: [String: Double] = [:]

    static let mapping = Mapping(
      "Chart", Chart.init, .key("id", \.id, .unique), .key("values", \.values),
      .key("amounts", \.amounts), .key("names", \.names))
  }

  @Test func `requests find the values that were saved`() throws {
    let store = try ModelStore(postgres: PostgresServer.shared().emptySchema(), models: Chart.self)
    let doubles = [
      1e100, 100, -0.0, 0.1, 1e-7, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 1e21,
      123456.75,
    ]
    let decimals = ["1e100", "1.50", "-12345678901234567890.5", "1e-100"]
      .compactMap { Decimal(string: $0) }
    let charts = [
      Chart(id: 1, values: doubles, amounts: decimals, names: ["é/\n": 1e30, "a": 2]),
      Chart(id: 2, values: [1], amounts: [1], names: ["b": 1]), Chart(id: 3),
    ]
    try store.write { try $0.save(charts) }

    #expect(try store.fetch(ModelRequest<Chart>().order(by: \.id)) == charts)
    let context = EditingContext(store)
    let rows = try context.fetch(ModelRequest<Chart>().order(by: \.id).rows)
    for (row, chart) in zip(rows, charts) {
      #expect(try row[\Chart.values] == chart.values)
      try row.set(\Chart.values, to: [])
      try row.set(\Chart.values, to: chart.values)
      try row.set(\Chart.names, to: [:])
      try row.set(\Chart.names, to: chart.names)
      #expect(row.changedKeys == [])
    }
    for chart in charts {
      let text = "[" + chart.values.map { "\($0)" }.joined(separator: ", ") + "]"
      let requests = [
        RowRequest("Chart").filter { $0["values"] == text },
        RowRequest("Chart").filter { $0["values"].isOne(of: [text, "other"]) },
        RowRequest("Chart").filter { $0["values"] >= text && !($0["values"] > text) },
      ]
      for request in requests {
        #expect(try store.fetchIdentities(request) == [Int64(chart.id)])
        let evaluator = try RequestEvaluator(request, in: store.schema)
        let found = evaluator.result(of: rows.map { ContextRowSubject(context, $0.handle) })
        #expect(found.map { context.graph[$0.row].identity.stored } == [Int64(chart.id)])
      }
    }
  }
}
