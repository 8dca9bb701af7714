import DocumentationTesting
import Foundation
import Testing

/// The tables of the article "Understanding the architecture" and the folders of
/// the package.
@Suite struct ArchitectureTests {
  private let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The cells of the article's tables, without backticks.
  private func rows() throws -> [[String]] {
    try Article("Sources/Moho/Moho.docc/Architecture.md").tableRows.map { row in
      row.split(separator: "|").map {
        $0.replacing("`", with: "").trimmingCharacters(in: .whitespaces)
      }
    }
  }

  private func targetRows() throws -> [[String]] {
    try rows().filter { $0.count == 3 && $0[0].hasPrefix("Moho") }
  }

  /// The paths of the folders below a folder, relative to it. DocC catalogs and
  /// resources are omitted.
  private func folders(in path: String, deep: Bool) throws -> [String] {
    let url = root.appending(path: path)
    let paths =
      deep
      ? FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
      : try FileManager.default.contentsOfDirectory(atPath: url.path)
    return paths.sorted().filter { path in
      let isFolder = try? url.appending(path: path).resourceValues(forKeys: [.isDirectoryKey])
      return isFolder?.isDirectory == true && !path.contains(".docc")
        && !path.hasPrefix("Resources")
    }
  }

  @Test func everyFolderOfATargetIsListedOnce() throws {
    let listed = try rows().compactMap(\.last).filter { $0.hasPrefix("Moho") && $0.contains("/") }
    let existing = try targetRows().map { $0[0] }.flatMap { target in
      try folders(in: "Sources/\(target)", deep: false).map { "\(target)/\($0)" }
    }

    #expect(existing.count > 20)
    #expect(listed.sorted() == existing.sorted())
  }

  @Test func theFilesOnThePathOfAValueExistAndOccurOnce() throws {
    let text = try String(
      contentsOf: root.appending(path: "Sources/Moho/Moho.docc/Architecture.md"), encoding: .utf8)
    let files = text.matches(of: /`(Moho[^`]+\.swift)`/).map { String($0.output.1) }

    #expect(files.count > 20)
    #expect(Set(files).count == files.count)
    for file in files {
      let path = root.appending(path: "Sources/\(file)").path
      #expect(FileManager.default.fileExists(atPath: path), "\(file)")
    }
  }

  @Test func everyTargetIsListed() throws {
    let targets = try folders(in: "Sources", deep: false).filter { $0.hasPrefix("Moho") }

    #expect(try targetRows().map { $0[0] }.sorted() == targets)
  }

  /// The lines of the sources of a target, with the names of their files.
  private func sourceLines(of target: String) throws -> [(file: String, line: Substring)] {
    let sources = FileManager.default.enumerator(
      at: root.appending(path: "Sources/\(target)"), includingPropertiesForKeys: nil)
    var lines: [(file: String, line: Substring)] = []
    while let source = sources?.nextObject() as? URL {
      guard source.pathExtension == "swift" else { continue }
      for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
        lines.append((source.lastPathComponent, line))
      }
    }
    return lines
  }

  /// Modules of other libraries that the article lists.
  private static let libraries: Set = [
    "CJansson", "CPostgres", "Logging", "Metrics", "ServiceLifecycle", "Tracing",
  ]

  @Test func everyTargetImportsOnlyTheListedModules() throws {
    for target in try targetRows() {
      let allowed = target[2].replacing("; with package traits ", with: ", ")
        .split(separator: ", ").map(String.init)
      for (_, line) in try sourceLines(of: target[0]) {
        let words = line.split(separator: " ")
        guard words.contains("import"), let module = words.last,
          words.allSatisfy({ $0.first?.isLetter == true || $0.first == "@" }),
          module.hasPrefix("Moho") || module.hasPrefix("GRDB")
            || Self.libraries.contains(String(module))
        else { continue }
        #expect(allowed.contains(String(module)), "\(target[0]) imports \(module)")
      }
    }
  }

  /// Lines of modules without a database that name one, and the reasons.
  private static let databaseNames = [
    "not a SQLite database": "the name of an error of files",
    "sqlite_": "a prefix that SQLite reserves, and that schemas therefore refuse",
  ]

  /// Comments may explain where a limit comes from.
  @Test func modulesWithoutADatabaseNameNone() throws {
    var unused = Set(Self.databaseNames.keys)
    let modules = ["MohoMapping", "MohoJSON", "MohoRows", "MohoChanges", "MohoResults"]
    for (file, line) in try modules.flatMap(sourceLines) {
      let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
      // `rowID` is not the name of SQLite's column.
      guard code.namesADatabase else { continue }
      let reason = Self.databaseNames.keys.first { code.contains($0) }
      if let reason { unused.remove(reason) }
      #expect(reason != nil, "\(file): \(line)")
    }
    #expect(unused == [], "exceptions that are not necessary")
  }

  /// Test folders that do not mirror a source folder, and the reasons.
  private static let exceptions = [
    "BrowserTests": "drives the page in a browser, with Python",
    "DocumentationTests": "mirrors the articles of the DocC catalogs",
    "EpisodeFeedTests/Feeds/Oracle": "compares feeds with feedparser",
    "MohoChangesTests/Documentation": "runs the code of the article",
    "MohoJSONTests/Conformance": "has numbered conformance cases",
    "MohoJSONTests/Fuzzing": "damages documents of all kinds",
    "MohoJSONTests/Paths": "tests paths in adapters, streams and archives",
    "MohoJSONTests/UnknownKeys": "tests unknown keys in adapters and mappings",
    "MohoPostgresTests/Faults": "kills servers, connections and clients",
    "MohoResultsOracleTests": "is an oracle that shares no structure with the sources",
    "MohoResultsTests/Postgres": "follows servers, and compares controllers with their rows",
    "MohoStoreTests/Faults": "damages files and kills processes",
    "MohoStoreTests/Importing": "imports JSON into stores",
  ]

  /// The source folders of tests that cover more than one target.
  private static let additionalSources = [
    "EpisodeFeed": ["Examples/episode-feed"],
    "MohoChanges": ["Sources/MohoTesting"],
    "MohoJSON": ["Sources/MohoMapping", "Sources/MohoMapping/JSON"],
    "MohoStore": ["Sources/MohoRows", "Sources/MohoSQLite"],
  ]

  /// `Support` folders have shared fixtures.
  @Test func everyTestFolderMirrorsASourceFolder() throws {
    var unused = Set(Self.exceptions.keys)
    for tests in try folders(in: "Tests", deep: false) where tests.hasSuffix("Tests") {
      if unused.remove(tests) != nil { continue }
      let target = String(tests.dropLast("Tests".count))
      let roots =
        ["Sources/\(target)", "Examples/\(target)"] + (Self.additionalSources[target] ?? [])
      for folder in try [""] + folders(in: "Tests/\(tests)", deep: true) {
        if folder.split(separator: "/").last == "Support" { continue }
        if unused.remove("\(tests)/\(folder)") != nil { continue }
        let mirrored = roots.contains { source in
          FileManager.default.fileExists(atPath: root.appending(path: "\(source)/\(folder)").path)
        }
        #expect(mirrored, "Tests/\(tests)/\(folder) has no source folder")
      }
    }
    #expect(unused == [], "exceptions that are not necessary")
  }
}

extension Substring {
  /// Whether a line of code contains the name of a database or of a library for one.
  fileprivate var namesADatabase: Bool {
    let letters = lowercased()
    // A regular expression for every line would take ten seconds.
    return ["sqlite", "postgres", "libpq", "grdb"].contains { letters.contains($0) }
      || contains("rowid") && contains(/\browid\b/)
  }
}
