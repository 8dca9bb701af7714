import CommandTesting
import Foundation
import Moho
import Testing

@testable import issues

@Suite struct IssuesCommandTests {
  private let folder: TemporaryFolder
  private let tool = Tool("issues")

  /// Two repositories with the same number, an event that the models do not
  /// know, and numbers of milestones that sort by their value.
  private static let document = """
    [{"repository": {"full_name": "crust/a"}, "number": 1, "title": "Éclogite", "state": "open",
      "labels": [{"id": 1, "name": "bug"}], "assignees": [{"id": 2, "login": "ada"}],
      "milestone": {"id": 1, "title": "1.10"}, "updated_at": "2026-11-20T08:00:00Z", "events": [
        {"event": "moved", "actor": {"id": 3, "login": "ben"}, "to": {"column": 3}}]},
     {"repository": {"full_name": "crust/b"}, "number": 1, "title": "Basalt", "state": "open",
      "labels": [], "assignees": [], "milestone": {"id": 2, "title": "1.2"},
      "updated_at": "2026-11-21T08:00:00Z", "events": [
        {"event": "assigned", "assignee": {"id": 2, "login": "ada"}},
        {"event": "labeled", "actor": {"id": 2, "login": "ada"}, "label": {"name": "bug"}}]},
     {"repository": {"full_name": "crust/a"}, "number": 2, "title": "Ash", "state": "closed",
      "labels": [{"id": 1, "name": "bug"}], "assignees": [], "milestone": null,
      "updated_at": "2026-11-19T08:00:00Z", "events": [{"event": "closed"}]}]
    """

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) async throws -> String {
    let result = try await tool.run(arguments, in: folder, input: Data(Self.document.utf8))
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test func issuesAreListedByMilestone() async throws {
    #expect(
      try await run("-", "--state", "all") == """
        1.2 (1)
          crust/b#1  Basalt              ada: labeled bug
        1.10 (1)
          crust/a#1  Éclogite  bug  ada  ben: moved {"to":{"column":3}}
        No milestone (1, 0 open)
          crust/a#2  Ash       bug       closed

        """)
  }

  @Test func optionsSelectIssues() async throws {
    #expect(try await run("-", "--state", "closed").contains("Ash"))
    #expect(try await run("-", "--label", "bug", "--assignee", "ada").hasPrefix("1.10 (1)\n"))
    #expect(try await run("-", "--limit", "0") == "")
  }

  @Test func assigneesAreListedWithTheirOpenIssues() async throws {
    #expect(try await run("-", "--assignees") == "ada  1\n")
    #expect(try await run("-", "--assignees", "--limit", "0") == "")
    let counts = try await run("--assignees").split(separator: "\n").map {
      $0.split(separator: " ").last.flatMap { Int($0) } ?? -1
    }
    #expect(counts.count > 1)
    #expect(counts == counts.sorted(by: >) && !counts.contains { $0 < 1 })
  }

  @Test func theSampleIsTheSameInEachRunAndImportsCompletely() async throws {
    let sample = try await run("--sample")
    #expect(try await run("--sample") == sample)
    let path = try folder.file("issues.json", Data(sample.utf8))
    #expect(try await run(path) == run())

    let store = try ModelStore(inMemory: issues.Issue.self)
    let report = try await store.importIssues(Data(sample.utf8))
    #expect(try await store.fetchCount(ModelRequest<issues.Issue>()) == 300)
    #expect(report.inserted > 300)
    let again = try await store.importIssues(Data(sample.utf8))
    #expect(again.inserted + again.updated + again.deleted == 0)
  }

  @Test func eventsAreWrittenAsTheyWereRead() throws {
    let json = """
      [{"actor":{"id":3,"login":"ben"},"event":"moved","to":{"column":3}},\
      {"event":"assigned","assignee":{"id":2,"login":"ada"}}]
      """
    let adapter = JSONAdapter<Event>(nullPolicy: .omit)
    let events = try adapter.models(from: Data(json.utf8))
    #expect(try adapter.text(from: events) == json)
  }

  @Test(arguments: [
    (["-"], #"[{"number": 1}]"#, Int32(65), "missing value for `Issue.repository`"),
    (["-"], "[", 65, "line 1, column 2"), (["-"], "{}", 65, "array"),
    (
      ["-"],
      #"[{"repository": {"full_name": "a"}, "number": 1, "title": "b", "state": "gone", "labels": [],"#
        + #" "assignees": [], "updated_at": "2026-11-20T08:00:00", "events": [{"event": "labeled"}]}]"#,
      65, "open"
    ),
    (["none.json"], "", 66, "no such file"), (["--limit", "-1"], "", 64, "limit"),
    (["--state", "lost"], "", 64, "lost"),
    (["--assignees", "--label", "bug"], "", 64, "--assignees"),
  ])
  func invalidInputIsReported(
    arguments: [String], input: String, status: Int32, reason: String
  ) async throws {
    let result = try await tool.run(arguments, in: folder, input: Data(input.utf8))

    #expect(result.status == status)
    #expect(result.errors.hasPrefix("Error: "))
    #expect(result.errors.contains(reason), "\(result.errors)")
  }
}
