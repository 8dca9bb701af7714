import ArgumentParser
import CommandSupport
import Foundation
import Moho

/// Lists the issues of a tracker by milestone.
@main
struct IssuesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issues",
    abstract: "List the issues of a tracker by milestone.",
    discussion: """
      The file is a JSON array of issues such as

        {"repository": {"full_name": "..."}, "number": 7, "title": "...", "state": "open",
         "labels": [{"id": 1, "name": "..."}], "assignees": [{"id": 2, "login": "..."}],
         "milestone": {"id": 3, "title": "1.0"}, "updated_at": "2026-11-20T08:00:00Z",
         "events": [{"event": "closed", "actor": {"id": 2, "login": "..."}}]}

      Without a file, the program lists fictional issues.

      EXAMPLES:
        issues --label bug --limit 10
        issues --assignees
        issues --sample > issues.json
        issues issues.json --state closed --assignee ada

      EXIT STATUS:
        0   Done.
        64  Invalid command-line arguments.
        65  The file is not an array of issues.
        66  The file does not exist or cannot be read.
      """,
    version: PackageVersion.current)

  /// The issues to list.
  enum State: String, ExpressibleByArgument, CaseIterable { case open, closed, all }

  @Argument(
    help: "The JSON file, or - for standard input. (default: fictional issues)",
    completion: .file(extensions: ["json"]))
  var file: String?

  @Option(help: "List issues in this state.")
  var state = State.open

  @Option(help: ArgumentHelp("List issues with this label.", valueName: "name"))
  var label: String?

  @Option(help: ArgumentHelp("List issues assigned to this user.", valueName: "login"))
  var assignee: String?

  @Option(help: ArgumentHelp("List at most this many issues.", valueName: "number"))
  var limit: Int?

  @Flag(help: "List the assignees of open issues, and how many each of them has.")
  var assignees = false

  @Flag(help: "Print the fictional issues as JSON.")
  var sample = false

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit must be 0 or greater.") }
    if assignees, label != nil || assignee != nil || state != .open {
      throw ValidationError("--assignees cannot be combined with options that select issues.")
    }
  }

  static func main() async { await runReporting() }

  func run() async throws {
    if sample { return try Output.print(JSONText(SampleTracker.document())) }
    let store = try ModelStore(inMemory: Issue.self)
    let document = try file.map { try DataFile.read($0) } ?? SampleTracker.document()
    do {
      let report = try await store.importIssues(document)
      Output.note("\(report)")
    } catch let error as MappingError {
      throw notIssues(error.errors.map { "\($0)" })
    } catch let error as JSONError {
      throw notIssues(["\(error)"])
    }
    if assignees {
      let counts = try await store.fetchValues(ModelRequest.assignees.limit(limit)) {
        [$0.login, $0.issues.count { $0.state == .open }]
      }
      return try Output.print(IssueText.assignees(counts, width: Terminal.size?.width))
    }
    let request = ModelRequest.issues(
      Issue.State(rawValue: state.rawValue), label: label, assignee: assignee)
    let list = try await ResultsController(
      request, in: store, sectionedBy: { $0.milestone.title },
      summaries: { [.count.filter($0.state == .open)] })
    try Output.print(
      IssueText.lines(list.snapshot, limit: limit, width: Terminal.size?.width))
  }

  private func notIssues(_ details: [String]) -> Failure {
    Failure(
      .badData, "\(file.map(DataFile.name) ?? "the sample"): not an array of issues",
      details: details, advice: "Correct the file. `issues --help` shows the format.")
  }
}
