import CommandTesting
import Foundation
import Testing

/// The page in headless Chromium. The tests are Python programs in
/// `Tests/BrowserTests`, which drive the browser and the server.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: ProcessInfo.processInfo.environment["MOHO_BROWSER"] != nil, "requires Chromium"))
struct BrowserTests {
  @Test(arguments: ["test_page", "test_listening", "test_demo"])
  func thePageShowsTheStore(module: String) async throws {
    let folder = try TemporaryFolder()
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../BrowserTests").standardizedFileURL

    let result = try await Tool.episodeFeed.run(
      [module], in: folder,
      prefix: [
        "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=\(tests.path)",
        "MOHO_PAGE_STEPS=300",
        "sh", "-c", "MOHO_EPISODE_FEED=$0 exec python3 -m unittest \"$@\"",
      ])

    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
