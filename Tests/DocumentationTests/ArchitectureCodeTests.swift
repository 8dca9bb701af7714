import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Understanding the architecture", compiled and run.
@Suite struct ArchitectureCodeTests: ArticleTests {
  let article = Article("Sources/Moho/Moho.docc/Architecture.md")
  let transcript = Transcript()

  struct Episode: MappedModel {
    var id: Int
    var title: String
    var season: Int?

    static let mapping = Mapping(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("season", \.season))
  }

  // snippet
  /// Reads the cells of a line by the names of their columns. Empty cells are absent.
  final class CellDecoder: FieldDecoder {
    private let cells: [FieldPath: String]
    private let line: FieldPath
    private let keys: [FieldKey]

    init(_ cells: [FieldPath: String], line: Int, _ keys: FieldKeys) {
      self.cells = cells.filter { !$0.value.isEmpty }
      self.line = FieldPath([.index(line)])
      self.keys = keys.keys
    }

    private func text(_ index: Int) -> String? { keys[index].source.flatMap { cells[$0] } }

    private func read<Value>(
      _ index: Int, _ expected: String, _ value: (String) -> Value?
    ) throws -> Value {
      guard let text = text(index) else {
        throw error(.missingValue, at: index, expected: expected)
      }
      guard let value = value(text) else {
        throw error(.invalidValue, at: index, expected: expected)
      }
      return value
    }

    func isAbsent(at index: Int) -> Bool { text(index) == nil }
    func isNull(at index: Int) -> Bool { isAbsent(at: index) }
    func bool(at index: Int) throws -> Bool { try read(index, "true or false") { Bool($0) } }
    func int64(at index: Int) throws -> Int64 { try read(index, "integer") { Int64($0) } }
    func uint64(at index: Int) throws -> UInt64 { try read(index, "integer") { UInt64($0) } }
    func double(at index: Int) throws -> Double { try read(index, "number") { Double($0) } }
    func decimal(at index: Int) throws -> Decimal {
      try read(index, "number") { Decimal(string: $0) }
    }
    func string(at index: Int) throws -> String { try read(index, "text") { $0 } }
    func data(at index: Int) throws -> Data {
      try read(index, "Base64") { Data(base64Encoded: $0) }
    }
    func date(at index: Int, _ format: DateFormat) throws -> Date {
      try read(index, format.expectation) { format.date($0) }
    }

    func field(at index: Int) -> FieldDescription {
      FieldDescription(
        path: line.appending(keys[index].source ?? FieldPath([])),
        found: text(index).map { FieldContent.string($0).summary })
    }
  }
  // end

  @Test func aDecoderAddsAFormat() throws {
    // snippet
    let table = """
      id,title,season
      1,Loess,2
      2,Deep Water,II
      3,,
      """
    let lines = table.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let columns = lines[0].map { FieldPath([.key($0)]) }
    for (number, cells) in lines.enumerated().dropFirst() {
      let cells = Dictionary(zip(columns, cells)) { first, _ in first }
      let decoder = CellDecoder(cells, line: number, Episode.mapping.fieldKeys)
      do {
        let episode = try Episode.mapping.model(from: decoder)
        print(episode.id, episode.title, episode.season ?? 0)
      } catch {
        print(error)
      }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
