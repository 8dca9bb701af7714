import CommandTesting
import Foundation
import Moho
import Testing
import WellField

/// The output of the smaller programs for files and arguments with unsafe
/// characters.
@Suite struct HostileProgramTests {
  private let scene: HostileScene
  private let text = HostileText.short

  init() throws { scene = try HostileScene() }

  @Test func tasksEscapesUnsafeText() async throws {
    let calls: [([String], Int32)] = [
      (["add", text], 0), (["list"], 0), (["list", "--search", text], 0),
      (["edit", "1", "--text", text + "!"], 0), (["list"], 0),
      (["add", String(repeating: text, count: 9)], 65), (["add", "x", "--due", text], 64),
      (["add", "x", "--priority", text], 64), (["done", text], 64), (["delete", text], 64),
      ([text], 64), (["list", "--store", text], 66), (["list", "--\(text)"], 64),
    ]
    for (arguments, status) in calls {
      try await scene.run("tasks", arguments, status: status)
    }
  }

  @Test func aSessionEscapesUnsafeText() async throws {
    let text = self.text.filter { !$0.isNewline }
    for (lines, status) in [
      ("add 'x\(text)'\nlist\nundo\nredo\nhelp\nquit", Int32(0)), ("\(text)", 64),
      ("done '\(text)'", 64), ("add 'x\(text)' --priority '\(text)'", 64), ("'\(text)", 64),
      ("add 'x\(String(repeating: text, count: 20))'", 65), ("list '--\(text)'", 64),
    ] {
      try await scene.run("tasks", ["session"], input: lines, status: status)
    }
  }

  @Test(.timeLimit(.minutes(20))) func aSessionInATerminalEscapesUnsafeText() async throws {
    let hidden = "\u{202E}\u{9B}31m\u{E0041}"
    let program = try ScreenProgram(
      [Tool("tasks").url.path, "session"], in: scene.folder, width: 200, height: 30)
    try await program.wait(for: "tasks>")
    program.send("add 'one\(hidden)'\n")
    try await program.wait(for: "+1  added")
    program.send("list\n")
    try await program.wait(for: "*  +1")
    program.send("\(hidden)fly\n")
    try await program.wait(for: "Error")
    program.send("quit --discard\n")

    #expect(await program.waitForEnd() == 0)
    let listed = program.screen.lines.first { $0.contains("*  +1") } ?? ""
    #expect(listed.contains(#"\u{202E}"#))
    #expect(HostileText.harm(in: listed) == [])
    let error = program.screen.lines.first { $0.contains("Error") } ?? ""
    #expect(HostileText.harm(in: error) == [])
  }

  @Test func failedBanksEscapesUnsafeText() async throws {
    let json = HostileText.json(HostileText.long)
    let banks = """
      [{"cert": 1, "name": "\(json)", "city": "\(json)", "state": "\(json)", "details":
         {"acquirer": "\(json)", "close_date": "2017-12-15", "updated_date": "2018-02-21"}},
       {"cert": 2, "name": "\(json)", "city": "\(json)", "state": "\\u001b\(json)", "details":
         {"acquirer": "\(json)", "close_date": "2016-05-26", "updated_date": "2017-07-26"}}]
      """
    let calls: [([String], String, Int32)] = [
      (["-"], banks, 0), (["-", "--sections", "state"], banks, 0),
      (["-", "--sections", "state", "--close", "1=2015-01-01"], banks, 0),
      (["-", "--sections", "year", "--close", "1=2015-01-01"], banks, 0),
      (["-", "--sql", "--search", text], banks, 0), (["-", "--sections", text], banks, 64),
      (["-", "--close", text], banks, 64), (["-", "--limit", text], banks, 64),
      ([text], "", 66), (["-", text], "", 64),
      (["-"], #"[{"cert": "\#(json)", "name": 1, "\#(json)": 2}]"#, 65),
      (["-"], #"{"\#(json)": 1}"#, 65), (["-"], "[\(HostileText.long)]", 65),
    ]
    for (arguments, input, status) in calls {
      try await scene.run("failed-banks", arguments, input: input, status: status)
    }
  }

  @Test func issuesEscapesUnsafeText() async throws {
    let json = HostileText.json(HostileText.long)
    let issues = """
      [{"repository": {"full_name": "\(json)"}, "number": 1, "title": "\(json)", "state": "open",
        "labels": [{"id": 1, "name": "\(json)"}], "assignees": [{"id": 2, "login": "\(json)"}],
        "milestone": {"id": 3, "title": "\(json)"}, "updated_at": "2026-11-20T08:00:00Z",
        "events": [{"event": "\(json)", "actor": {"id": 2, "login": "\(json)"}, "\(json)": "\(json)"}]}]
      """
    let calls: [([String], String, Int32)] = [
      (["-"], issues, 0), (["-", "--label", text, "--assignee", text], issues, 0),
      (["-", "--state", text], issues, 64), (["-", "--limit", text], issues, 64),
      ([text], "", 66), (["-", text], "", 64), (["-"], #"[{"number": "\#(json)"}]"#, 65),
      (["-"], "[\(HostileText.long)]", 65),
    ]
    for (arguments, input, status) in calls {
      try await scene.run("issues", arguments, input: input, status: status)
    }
  }

  @Test func wellsEscapesUnsafeText() async throws {
    let path = scene.folder.path("wells.sqlite")
    do {
      let store = try ModelStore(path: path, models: Well.self)
      let wells = WellGenerator(seed: 1, count: 6).enumerated().map { index, well in
        var well = well
        well.name = "\(index)\(HostileText.long)"
        well.county = text
        return well
      }
      try await store.write { _ = try $0.save(wells) }
    }
    let calls: [([String], Int32)] = [
      (["--store", path], 0), (["--seed", text], 64), (["--rows", text], 64),
      (["--store", "\(text)/\(text)"], 73), ([text], 64),
    ]
    for (arguments, status) in calls {
      try await scene.run("wells", arguments, status: status)
    }
  }
}
