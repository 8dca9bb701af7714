import Moho
import TextTables

/// Formats issues as lines of text.
enum IssueText {
  /// The issues of a list. Each milestone has a heading, with the number of its issues and
  /// of those that are open.
  static func lines(
    _ list: ResultsSnapshot<Issue>, limit: Int?, width: Int?
  ) throws -> [String] {
    var rest = limit ?? .max
    var tables: [(heading: String?, rows: [[String]])] = []
    for (number, section) in list.sections.enumerated() where rest > 0 {
      let issues = try (0..<min(section.count, rest)).map {
        try list.model(at: RowPath(section: number, row: $0))
      }
      rest -= issues.count
      let milestone = section.name.isEmpty ? "No milestone" : section.name
      tables.append(("\(milestone) (\(counts(section)))", issues.map(columns)))
    }
    return TextTable.lines(of: tables, width: width)
  }

  /// Users, and the number of issues of each.
  static func assignees(_ counts: [ValueRow], width: Int?) -> [String] {
    let rows = counts.map { row in
      row.values.map { if case .string(let text) = $0 { text } else { "\($0)" } }
    }
    return TextTable.lines(of: [(nil, rows)], width: width)
  }

  private static func counts(_ section: ResultsSection) -> String {
    guard case .int64(let open) = section.summary?.values.first, open < section.count else {
      return "\(section.count)"
    }
    return "\(section.count), \(open) open"
  }

  private static func columns(_ issue: Issue) -> [String] {
    [
      "  \(issue.repository)#\(issue.number)", issue.title,
      issue.labels.map(\.name).joined(separator: ", "),
      issue.assignees.map(\.login).joined(separator: ", "),
      issue.events.last.map(event) ?? "",
    ]
  }

  private static func event(_ event: Event) -> String {
    let text =
      switch event.change {
      case .labeled(let label): "labeled \(label.name)"
      case .assigned(let assignment): "assigned \(assignment.assignee.login)"
      case .closed: "closed"
      case .other(let name, let content): "\(name) \(content)"
      }
    return event.actor.map { "\($0.login): \(text)" } ?? text
  }
}
