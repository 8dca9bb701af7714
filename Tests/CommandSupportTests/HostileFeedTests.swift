import CommandTesting
import Foundation
import Testing

/// The output of `episode-feed` for feeds and arguments with unsafe characters.
@Suite struct HostileFeedTests {
  private let scene: HostileScene
  private let text = HostileText.short

  init() throws { scene = try HostileScene() }

  private func feed(
    title: String = HostileText.short, id: String = HostileText.short,
    episode: String = HostileText.long, others: String = ""
  ) -> String {
    let (title, id, episode) = (
      HostileText.json(title), HostileText.json(id), HostileText.json(episode)
    )
    return """
      {"version": "https://jsonfeed.org/version/1.1", "title": "\(title)", "items": [
        {"id": "\(id)", "title": "\(episode)", "summary": "\(episode)",
         "content_text": "\(episode)", "date_published": "2026-11-20T08:00:00Z",
         "_episode_feed": {"season": 1}, "attachments":
           [{"url": "https://example.com/a", "mime_type": "\(episode)"}]}\(others)]}
      """
  }

  private func episodeFeed(
    _ arguments: String..., input: String = "", status: Int32 = 0,
    _ location: SourceLocation = #_sourceLocation
  ) async throws -> Tool.Result {
    try await scene.run(
      "episode-feed", arguments + ["--store", "s.sqlite"], input: input, status: status, location)
  }

  @Test func everyCommandEscapesAnUnsafeFeed() async throws {
    _ = try await episodeFeed("import", "-", input: feed())
    for options in [
      [], ["--sections", "season"], ["--sections", "podcast"], ["--search", text],
      ["--podcast", text],
    ] {
      try await scene.run("episode-feed", ["list", "--store", "s.sqlite"] + options)
    }
    let shown = try await episodeFeed("show", text)
    #expect(shown.output.contains(#"\u{1B}[2J"#))
    _ = try await episodeFeed("edit", text, "--summary", HostileText.long + "!")
    _ = try await episodeFeed("edit", text, "--title", text)
    _ = try await episodeFeed("edit", text, "--title", text)
    #expect(try await episodeFeed("list").output.contains(#"\u{1B}[2J"#))
  }

  @Test func unsafeIDsOfSeveralEpisodesAreQuotedWithEscapes() async throws {
    _ = try await episodeFeed("import", "-", input: feed())
    _ = try await episodeFeed("import", "-", input: feed(title: text + "?"))

    let result = try await episodeFeed("show", text, status: 64)

    #expect(result.errors.contains(#"\u{1B}[2J"#))
    #expect(result.errors.contains(#"\u{202E}"#))
    #expect(result.errors.contains("--podcast"))
  }

  @Test func unsafeValuesOfBadFeedsAreQuotedWithEscapes() async throws {
    let text = HostileText.json(HostileText.long)
    let documents = [
      feed(others: #", {"id": "\#(HostileText.json(self.text))"}"#),
      feed(others: #", {"id": "2", "date_published": "\#(text)"}"#),
      feed(others: #", {"id": "3", "url": "\#(text)", "_episode_feed": {"kind": "\#(text)"}}"#),
      #"{"version": "\#(text)"}"#, #"{"version": "https://jsonfeed.org/version/1", "\#(text)": 1}"#,
      #"{"version": "https://jsonfeed.org/version/1", "title": 1, "\#(text)": 1}"#,
      #"{"\#(text)": 1, "\#(text)": 2}"#, "[\(HostileText.long)]", "\u{1B}", #"["\#u{202E}" 1]"#,
      #"[{"episode": {"episode_number": "\#(text)"}}]"#,
    ]
    for document in documents {
      _ = try await episodeFeed("import", "-", "--strict", input: document, status: 65)
    }
    let lossy = try await episodeFeed("import", "-", input: documents[0])
    #expect(lossy.errors.contains("duplicate id"))
  }

  @Test func anExportIsValidJSONWithEqualValues() async throws {
    _ = try await episodeFeed("import", "-", input: feed())

    let exported = try await episodeFeed("export")
    _ = try await episodeFeed("export", "feed.json")

    let object = try JSONSerialization.jsonObject(with: Data(exported.output.utf8))
    let item = ((object as? [String: Any])?["items"] as? [[String: Any]])?.first
    #expect(item?["title"] as? String == HostileText.long)
    #expect(
      try String(contentsOfFile: scene.folder.path("feed.json"), encoding: .utf8)
        == exported.output)
    _ = try await scene.run("episode-feed", ["import", "feed.json", "--store", "t.sqlite"])
    let again = try await scene.run("episode-feed", ["export", "--store", "t.sqlite"])
    #expect(again.output == exported.output)
  }

  @Test func unsafeArgumentsAreQuotedWithEscapes() async throws {
    _ = try await episodeFeed("import", "-", input: feed())
    _ = try await episodeFeed("import", "-", input: feed(title: "Other \(text)", id: "2"))
    let cases: [([String], Int32)] = [
      ([text], 64), (["list", "--\(text)"], 64), (["list", text], 64),
      (["list", "--limit", text], 64), (["list", "--limit=\(text)"], 64),
      (["list", "--sections", text], 64), (["show", text + "?"], 66),
      (["edit", text + "?", "--title", "x"], 66), (["edit", "2", "--date", text], 64),
      (["edit", "2", "--season", text], 64), (["edit", "2", "--clear", text], 64),
      (["export", "--podcast", text + "?"], 66), (["export"], 64),
      (["export", "--podcast", text, "--format", "screencast"], 65),
      (["export", "--podcast", text, "\(text)/\(text)"], 73), (["export", "--format", text], 64),
      (["import", text], 66), (["import", text, "--lossy"], 64),
      (["watch", "--linger", text], 64), (["help", text], 0),
    ]
    for (arguments, status) in cases {
      let hasStore = ![[text], ["help", text]].contains(arguments)
      try await scene.run(
        "episode-feed", arguments + (hasStore ? ["--store", "s.sqlite"] : []), status: status)
    }
    try await scene.run("episode-feed", ["list", "--store", text], status: 66)
    try await scene.run("episode-feed", ["demo", "--store", "\(text)/\(text)"], status: 73)
    _ = try scene.folder.file("\(text).sqlite", Data("no database".utf8))
    try await scene.run("episode-feed", ["list", "--store", "\(text).sqlite"], status: 73)
  }

  @Test(.timeLimit(.minutes(20))) func watchEscapesUnsafeText() async throws {
    for isPlain in [true, false] {
      let options = isPlain ? ["--plain"] : ["--linger", "600", "--sections", "podcast"]
      let store = isPlain ? "plain.sqlite" : "screen.sqlite"
      try await scene.run(
        "episode-feed", ["import", "-", "--store", store], input: feed(episode: "before \(text)"))
      let program = try ScreenProgram(
        [Tool("episode-feed").url.path, "watch", "--store", store] + options, in: scene.folder,
        width: 400, height: 12)
      try await program.wait(for: isPlain ? "Watching 1 episode." : "before")
      try await scene.run(
        "episode-feed", ["import", "-", "--store", store], input: feed(episode: "after \(text)"))
      try await program.wait(for: "after")

      #expect(program.screen.unknown == [])
      #expect(program.screen.text.contains(#"\u{1B}[2J"#))
      if !isPlain {
        program.send("e")
        try await program.wait(for: "Enter saves")
        program.send("!\r")
        try await program.wait(for: "renamed")
        program.send("q")
      } else {
        program.signal(SIGINT)
      }
      #expect(await program.waitForEnd() == (isPlain ? -SIGINT : 0))
      #expect(program.screen.unknown == [])
    }
  }
}
