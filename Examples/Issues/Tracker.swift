import Foundation
import Moho

struct User: MappedModel {
  var id: Int
  var login: String
  /// The issues that are assigned to the user. Documents do not contain them.
  var issues: [ModelReference<Issue>]?
  static let mapping = Mapping(
    "User", User.init, .key("id", \.id, .unique), .key("login", \.login),
    .toMany("issues", \.issues, inverse: "assignees", .storeOnly))
}

struct Label: MappedModel {
  var id: Int
  var name: String
  static let mapping = Mapping(
    "Label", Label.init, .key("id", \.id, .unique), .key("name", \.name))
}

struct Milestone: MappedModel {
  var id: Int
  var title: String
  static let mapping = Mapping(
    "Milestone", Milestone.init, .key("id", \.id, .unique), .key("title", \.title))
}

/// An issue. Its number is unique in its repository.
struct Issue: MappedModel {
  enum State: String, FieldValue, CaseIterable { case open, closed }
  var repository: String
  var number: Int
  var title: String
  var state: State
  var labels: [Label]
  var assignees: [User]
  var milestone: Milestone?
  var updatedAt: Date
  var events: [Event]
  static let mapping = Mapping(
    "Issue", naming: .snakeCase, Issue.init,
    .key("repository", \.repository, json: "repository.full_name"), .key("number", \.number),
    .key("title", \.title), .key("state", \.state), .toMany("labels", \.labels),
    .toMany("assignees", \.assignees, inverse: "issues"), .toOne("milestone", \.milestone),
    .key("updatedAt", \.updatedAt), .key("events", \.events, default: [])
  )
  .identified(by: \.repository, \.number)
}

/// A step in the history of an issue.
struct Event: MappedModel {
  var actor: User?
  var change: Change
  static let mapping = Mapping(
    "Event", Event.init, .key("actor", \.actor), .inlined("change", \.change))
}

/// What an event changed. Its member `event` selects the variant.
enum Change: MappedModel {
  case labeled(Labeling)
  case assigned(Assignment)
  case closed
  case other(String, JSONValue)
  static let mapping = Mapping<Change>(
    "Change", discriminator: "event",
    .variant("labeled", Change.labeled) { if case .labeled(let it) = $0 { it } else { nil } },
    .variant("assigned", Change.assigned) { if case .assigned(let it) = $0 { it } else { nil } },
    .variant("closed", .closed) { if case .closed = $0 { true } else { false } },
    .unknown(Change.other) { if case .other(let name, let it) = $0 { (name, it) } else { nil } })
}

struct Labeling: MappedModel {
  var name: String
  static let mapping = Mapping("Labeling", Labeling.init, .key("name", \.name, json: "label.name"))
}

struct Assignment: MappedModel {
  var assignee: User
  static let mapping = Mapping("Assignment", Assignment.init, .key("assignee", \.assignee))
}

extension ModelStore {
  /// Saves the issues of a document. Importing it again writes no row.
  func importIssues(_ document: Data) async throws -> SaveReport {
    let issues = try JSONAdapter<Issue>().models(from: document)
    return try await write { try $0.save(issues) }
  }
}

extension ModelRequest<User> {
  /// Users with open issues, those with the most first.
  static var assignees: Self {
    Self().filter { $0.issues.any { $0.state == .open } }
      .order(.descending) { $0.issues.count { $0.state == .open } }.order(by: \.login)
  }
}

extension ModelRequest<Issue> {
  /// Issues by milestone, and the most recently updated first.
  static func issues(_ state: Issue.State?, label: String?, assignee: String?) -> Self {
    var request = Self()
    if let state { request = request.filter { $0.state == state } }
    if let label { request = request.filter { $0.labels.any { $0.name == label } } }
    if let assignee { request = request.filter { $0.assignees.any { $0.login == assignee } } }
    return request.order(nils: .last, collation: .localizedStandard) { $0.milestone.title }
      .order(by: \.updatedAt, .descending)
  }
}
