import DocumentationTesting
import Foundation
import Moho
import Testing

/// The tables and links of the README.
@Suite struct ReadmeTablesTests {
  private let readme = Article("README.md")

  private struct Episode: MappedModel {
    var id: Int

    static let mapping = Mapping("Episode", Episode.init, .key("id", \.id))
  }

  private struct EpisodeWithUnknownKeys: MappedModel {
    var id: Int
    var others: [String: JSONValue]

    static let mapping = Mapping(
      "Episode", EpisodeWithUnknownKeys.init, .key("id", \.id), .unknown("others", \.others))
  }

  @Test func unknownKeysAreHandledAsInTheTable() throws {
    let json = Data(#"{"id":7,"mood":"calm"}"#.utf8)
    let reports = Transcript()
    @Sendable func print(_ error: MappingError) { reports.append("\(error)") }

    let ignoring = JSONAdapter<Episode>()
    let reporting = JSONAdapter<Episode>(unknownKeyPolicy: .report { print($0) })
    let refusing = JSONAdapter<Episode>(unknownKeyPolicy: .refuse)
    let storing = JSONAdapter<EpisodeWithUnknownKeys>()

    #expect(try ignoring.model(from: json).id == 7)
    #expect(try reporting.model(from: json).id == 7)
    #expect(reports.take().hasPrefix("unknown key: string \"calm\" - `Episode` at /mood, 1:"))
    #expect(throws: MappingError.self) { try refusing.model(from: json) }
    #expect(try storing.data(from: storing.model(from: json)) == json)

    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let declarations = try readme.tableRows
      .compactMap { $0.split(separator: "`").dropFirst().first }
      .filter { $0.contains("JSONAdapter") || $0.contains(".unknown") }
    #expect(declarations.count == 4)
    for declaration in declarations { #expect(source.contains(declaration)) }
  }

  @Test func everyLinkHasATarget() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let links = text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
      .filter { !$0.hasPrefix("http") }

    #expect(links.count > 10)
    for link in links {
      let path = root.appending(path: link).path
      #expect(FileManager.default.fileExists(atPath: path), "\(link)")
    }
  }
}
