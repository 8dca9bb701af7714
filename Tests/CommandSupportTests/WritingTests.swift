import Foundation
import Testing

/// `Output` makes what it writes safe to show, so programs write through it
/// alone.
@Suite struct WritingTests {
  @Test func programsWriteThroughOutputAlone() throws {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples")
    let files = try #require(FileManager.default.enumerator(atPath: examples.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    let others =
      #/(?:^|[^.\w])(?:print|debugPrint|dump|fputs|puts|printf|NSLog)\(|\.standard(?:Output|Error)|STD(?:OUT|ERR)_FILENO/#
    #expect(files.count > 50)

    for file in files.sorted() {
      let text = try String(contentsOf: examples.appending(path: file), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { $0.contains(others) }
      switch file {
      case "CommandSupport/Reporting/Output.swift": #expect(lines.count == 4)
      // It asks whether they are terminals.
      case "CommandSupport/Terminal/Terminal.swift":
        #expect(lines.allSatisfy { $0.contains("isatty(") || $0.contains("ioctl(") }, "\(lines)")
      // The demo hands its lines to a closure of this name.
      case "EpisodeFeed/Demo/Demo.swift": #expect(!lines.contains { !$0.contains("try print(") })
      // The first screen of the README has no data of strangers.
      case "first-screen/main.swift": #expect(lines.count == 1)
      default: #expect(lines == [], "\(file)")
      }
    }
  }
}
