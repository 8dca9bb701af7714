import Foundation
import Testing

/// `Output` escapes unsafe characters, so programs must not write by other
/// means.
@Suite struct WritingTests {
  @Test func programsWriteOnlyThroughOutput() throws {
    let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples")
      .resolvingSymlinksInPath()
    let files = try #require(FileManager.default.enumerator(atPath: examples.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    let others =
      #/(?:^|[^.\w])(?:print|debugPrint|dump|fputs|puts|printf|NSLog)\(|\.standard(?:Output|Error)|STD(?:OUT|ERR)_FILENO/#
    #expect(files.count > 50)

    for file in files.sorted() {
      let text = try String(contentsOf: examples.appending(path: file), encoding: .utf8)
      let lines = text.split(separator: "\n")
        .filter { $0.contains(others) && !$0.contains(" func print(") }
      switch file {
      // Other lines ask whether there is a reader.
      case "CommandSupport/Reporting/Output.swift":
        #expect(lines.filter { !$0.contains("pollfd(") && !$0.contains("fstat(") }.count == 2)
      // The file checks whether the streams are terminals.
      case "CommandSupport/Terminal/Terminal.swift":
        #expect(lines.allSatisfy { $0.contains("isatty(") || $0.contains("ioctl(") }, "\(lines)")
      // The browser must not write to the screen.
      case "CommandSupport/Terminal/WebBrowser.swift":
        #expect(lines.allSatisfy { $0.hasSuffix("= FileHandle.nullDevice") }, "\(lines)")
      // A crashing process restores the terminal with a constant text.
      case "CommandSupport/Terminal/CrashHandler.swift":
        #expect(
          lines.map { $0.trimmingCharacters(in: .whitespaces) } == [
            "STDOUT_FILENO, ScreenSession.endSequence.utf8Start,"
          ])
      // The demo passes its lines to a closure of this name.
      case "EpisodeFeed/Demo/Demo.swift": #expect(!lines.contains { !$0.contains("try print(") })
      // The example of the README has no external data.
      case "first-screen/main.swift": #expect(lines.count == 1)
      // A package of its own, which prints its usage and its port.
      case "live-list-server/Server/LiveListServer.swift": #expect(lines.count == 2)
      default: #expect(lines == [], "\(file)")
      }
    }
  }
}
