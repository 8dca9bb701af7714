import GRDB
import Moho

/// A store with a context and controllers that follow it.
final class StoreUsers {
  static let request = ModelRequest<Mark>().order(by: \.length, .descending).order(by: \.id)

  let store: ModelStore
  let context: EditingContext
  var longMarks: ResultsController<Mark>?
  private let marks: ResultsController<Mark>
  private let podcasts: ResultsController<Podcast>
  private let edited: ContextResultsController<Mark>

  /// The context has unsaved changes of all kinds.
  init(_ store: ModelStore) throws {
    self.store = store
    marks = try ResultsController(Self.request, in: store)
    podcasts = try ResultsController(ModelRequest<Podcast>().order(by: \.title), in: store)
    context = EditingContext(store)
    edited = try ContextResultsController(Self.request, in: context)
  }

  /// Changes rows in the context.
  func edit() throws {
    let rows = try context.fetch(ModelRequest<Mark>().order(by: \.id))
    try rows[0].set(\.text, to: "edited")
    try rows[1].set(\.length, to: 1_000)
    try context.delete(rows[2])
    let new = try context.insert(Mark.self)
    try new.set(\.id, to: 500)
    try new.set(\.text, to: "inserted")
    try new.set(\.length, to: 3)
    let podcast = try context.fetch(ModelRequest<Podcast>().order(by: \.id))[0]
    try context.delete(podcast)
  }

  /// Returns what the users disagree about.
  func disagreements() throws -> [String] {
    let stored = try store.fetch(Self.request)
    var found: [String] = []
    func check(_ name: String, _ models: @autoclosure () throws -> [Mark], _ expected: [Mark]) {
      do {
        if try models() != expected { found.append("\(name) has other models than the store") }
      } catch {
        found.append("\(name) throws \(error)")
      }
    }
    check("the controller", try marks.snapshot.models(), stored)
    if let longMarks {
      let expected = try store.fetch(
        ModelRequest<Mark>().filter { $0.length > 10 }.order(by: \.length))
      check("the new controller", try longMarks.snapshot.models(), expected)
    }
    let podcasts = try podcasts.snapshot.models()
    if try podcasts != store.fetch(ModelRequest<Podcast>().order(by: \.title)) {
      found.append("the controller of podcasts has other models than the store")
    }
    if !context.hasChanges {
      check("the context", try context.fetch(Self.request).map { try $0.model() }, stored)
      // A context presents commits of others when it catches up.
      try edited.catchUp()
      check("the controller of the context", try edited.snapshot.models(), stored)
    }
    return found
  }
}
