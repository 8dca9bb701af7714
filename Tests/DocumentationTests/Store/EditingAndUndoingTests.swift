import DocumentationTesting
import Foundation
import Moho
import Testing

/// The code of the article "Editing and undoing", compiled and run.
@Suite struct EditingAndUndoingTests: ArticleTests {
  let article = Article("Sources/MohoRows/MohoRows.docc/EditingAndUndoing.md")
  let transcript = Transcript()
  let store: ModelStore

  // snippet
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var summary: String?
    var chapters: [Chapter]

    static let mapping = Mapping<Episode>(
      "Episode", Episode.init,
      .key("id", \.id, .unique), .key("title", \.title), .key("summary", \.summary),
      .toMany("chapters", \.chapters, inverse: "episode", onDelete: .cascade, count: 0...99)
    )
    .validating(\.title, "text that is not empty") { !$0.isEmpty }
  }

  struct Chapter: MappedModel {
    var id: Int
    var title: String
    var episode: ModelReference<Episode>?

    static let mapping = Mapping(
      "Chapter", Chapter.init,
      .key("id", \.id, .unique), .key("title", \.title),
      .toOne("episode", \.episode, inverse: "chapters"))
  }
  // end

  init() throws {
    // snippet
    let store = try ModelStore(inMemory: Episode.self)
    try store.write { writer in
      try writer.save([
        Episode(
          id: 7, title: "Basalt", summary: nil,
          chapters: [Chapter(id: 70, title: "Magma"), Chapter(id: 71, title: "Dikes")]),
        Episode(id: 8, title: "Gneiss", summary: nil, chapters: []),
      ])
    }
    // end
    self.store = store
  }

  @Test func contexts() throws {
    // snippet
    let context = EditingContext(store)
    let request = ModelRequest<Episode>().order(by: \.title)
    let basalt = try context.fetch(request)[0]
    basalt.title = "Tuff"

    let chapter = try context.insert(Chapter.self)
    chapter.id = 72
    chapter.title = "Ash"
    try basalt.insert(chapter, into: \.chapters, at: 0)

    print(try context.fetch(request).map { try $0.title })
    print(basalt.row.changedKeys, try basalt.chapters.map(\.title))
    print(chapter.row.identity.isTemporary, try store.fetchCount(ModelRequest<Chapter>()))

    try context.save()
    print(chapter.row.identity, try store.fetchCount(ModelRequest<Chapter>()))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func rows() throws {
    let context = EditingContext(store)
    // snippet
    let basalt = try context.fetch(ModelRequest<Episode>().filter { $0.id == 7 })[0]
    basalt.chapters = try basalt.chapters.filter { $0.id != 71 }
    for chapter in try basalt.relatedRows(\.chapters) {
      chapter.title = try chapter.title.uppercased()
      print(try chapter.relatedRow(\.episode)?.title ?? "no episode")
    }
    print(try basalt.model().chapters.map(\.title))
    // end
    try article.expectOutput(of: transcript)

    // snippet
    let gneiss = try context.fetch(ModelRequest<Episode>().filter { $0.id == 8 })[0]
    try context.delete(gneiss)
    gneiss.title = "Schist"
    do {
      try context.save()
    } catch let error as RowValidationError {
      print(error)
    }
    // end
    try article.expectOutput(of: transcript)

    context.rollback()
    // snippet
    let row = try context.row(RowIdentity(entity: "Chapter", stored: 70))
    try row.set("title", to: "Lava")
    print(try ModelRow<Chapter>(row).title, row.changedKeys)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func undoing() throws {
    let context = EditingContext(store)
    // snippet
    let episode = try context.fetch(ModelRequest<Episode>().filter { $0.id == 7 })[0]
    context.undoGroup("Rewrite") {
      episode.title = "Tuff"
      episode.summary = "Ash, pressed."
    }
    try context.delete(episode)
    print(episode.row.state, try context.fetch("Chapter").count)

    context.undo()
    print(episode.row.state, try context.fetch("Chapter").count, context.undoName ?? "")
    context.undo()
    print(episode.row.state, try episode.title)
    context.redo()
    print(try episode.title, context.pendingChanges.isEmpty)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func validation() throws {
    let context = EditingContext(store)
    // snippet
    let episode = try context.fetch(ModelRequest<Episode>().filter { $0.id == 7 })[0]
    episode.title = ""
    let new = try context.insert(Episode.self)
    new.id = 8
    do {
      try context.save()
    } catch let error as RowValidationError {
      print(error.failures[0])
      for failure in error.failures { print(failure.kind, failure.keys) }
    }
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func conflicts() throws {
    let context = EditingContext(store)
    // snippet
    let episode = try context.fetch(ModelRequest<Episode>().filter { $0.id == 7 })[0]
    episode.title = "Tuff"
    try store.write { writer in
      var change = Partial<Episode>()
      change[\.id] = 7
      change[\.title] = "Pumice"
      change[\.summary] = "It floats."
      try writer.update([change])
    }

    do {
      try context.save()
    } catch let error as ConflictError {
      print(error)
    }
    context.conflictPolicy = .perKey
    try context.save()
    print(try episode.title, try episode.summary as Any)
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func childContexts() throws {
    let context = EditingContext(store)
    // snippet
    let draft = EditingContext(childOf: context)
    let episode = try draft.fetch(ModelRequest<Episode>().filter { $0.id == 7 })[0]
    episode.title = "Tuff"
    print(context.hasChanges)
    try draft.save()
    print(context.hasChanges, try store.fetchFirst(ModelRequest<Episode>())?.title ?? "")
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func adapters() throws {
    let context = EditingContext(store)
    // snippet
    let adapter = ManagedRowAdapter<Episode>()
    let row = try adapter.row(
      from: Episode(
        id: 7, title: "Tuff", summary: nil, chapters: [Chapter(id: 71, title: "Dikes")]),
      in: context)
    print(row.state, row.changedKeys)
    print(try adapter.model(from: row).chapters.map(\.title))
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func observing() throws {
    let context = EditingContext(store)
    // snippet
    let observation = context.onChange { changes in
      print(changes.inserted.count, "new,", changes.updated.count, "changed")
    }
    let saving = context.willSave { context in
      for episode in try context.fetch(ModelRequest<Episode>().filter { $0.summary == nil }) {
        episode.summary = "No summary."
      }
    }
    try context.save()
    observation.cancel()
    saving.cancel()
    // end
    try article.expectOutput(of: transcript)
  }

  @Test func theArticleMatchesTheCode() throws {
    try article.expectCode()
  }
}
