import DocumentationTesting
import Foundation
import Testing

/// What the article "Understanding the architecture" says of targets and
/// folders.
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

  @Test func everyListedFolderExists() throws {
    let folders = try rows().compactMap(\.last).filter { $0.hasPrefix("Moho") && $0.contains("/") }

    #expect(folders.count > 20)
    for folder in folders {
      let path = root.appending(path: "Sources/\(folder)").path
      #expect(FileManager.default.fileExists(atPath: path), "\(folder)")
    }
  }

  @Test func everyTargetImportsOnlyTheListedModules() throws {
    let targets = try rows().filter { $0.count == 3 && $0[0].hasPrefix("Moho") }

    #expect(targets.count == 7)
    for target in targets {
      let allowed = target[2].split(separator: ", ").map(String.init)
      let sources = FileManager.default.enumerator(
        at: root.appending(path: "Sources/\(target[0])"), includingPropertiesForKeys: nil)
      while let source = sources?.nextObject() as? URL {
        guard source.pathExtension == "swift" else { continue }
        for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
          guard line.contains("import "), let module = line.split(separator: " ").last,
            line.split(separator: " ").allSatisfy({ $0.first?.isLetter == true || $0.first == "@" }
            ),
            module.hasPrefix("Moho") || module.hasPrefix("GRDB") || module == "CJansson"
          else { continue }
          #expect(allowed.contains(String(module)), "\(target[0]) imports \(module)")
        }
      }
    }
  }
}
