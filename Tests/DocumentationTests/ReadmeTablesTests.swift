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

  private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The links of the README to files, with paths relative to the package.
  private func links() throws -> [(text: String, path: String)] {
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    return readme.matches(of: /\[([^\]]+)\]\(([^)]+)\)/).map { (String($0.1), String($0.2)) }
      .filter { !$0.path.hasPrefix("http") }
  }

  /// The articles of all catalogs. The title of a catalog's main page is a
  /// symbol.
  private func articles() throws -> [(title: String, path: String)] {
    let sources = root.appending(path: "Sources").resolvingSymlinksInPath()
    let files = FileManager.default.enumerator(atPath: sources.path)
    return try (files?.compactMap { $0 as? String } ?? [])
      .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
      .compactMap { file in
        let path = "Sources/\(file)"
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let title = text.prefix { $0 != "\n" }.trimmingPrefix("# ")
        return title.hasPrefix("``") ? nil : (String(title), path)
      }
  }

  @Test func everyLinkHasATarget() throws {
    let links = try links()

    #expect(links.count > 10)
    for link in links {
      let path = root.appending(path: link.path).path
      #expect(FileManager.default.fileExists(atPath: path), "\(link)")
    }
  }

  @Test func theDeclarationsOfTheTrackerHaveAsManyLinesAsStated() throws {
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let path = root.appending(path: "Examples/Issues/Tracker.swift")
    let lines = try String(contentsOf: path, encoding: .utf8).count { $0 == "\n" }

    #expect(readme.contains("events of several kinds in \(lines) lines"))
  }

  @Test func everyArticleIsLinkedWithItsTitle() throws {
    let links = try links()
    let articles = try articles()

    #expect(articles.count > 20)
    for article in articles {
      let isLinked = links.contains { link in
        link.path == article.path
          && [link.text, "Coming from \(link.text)"].contains(article.title)
      }
      #expect(isLinked, "\(article)")
    }
  }

  @Test func everyArticleIsATopicOfItsCatalog() throws {
    for article in try articles() {
      let name = URL(filePath: article.path).deletingPathExtension().lastPathComponent
      let catalog = root.appending(path: article.path).deletingLastPathComponent()
      let page = "\(catalog.deletingPathExtension().lastPathComponent).md"
      let text = try String(contentsOf: catalog.appending(path: page), encoding: .utf8)

      #expect(text.contains("<doc:\(name)>"), "\(article)")
    }
  }
}
