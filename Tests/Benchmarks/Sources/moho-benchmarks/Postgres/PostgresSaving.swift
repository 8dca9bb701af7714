import CPostgresFloors
import MohoMapping
import MohoPostgres
import MohoRows
import PostgresTesting

/// Saves a context, partial models and graphs: Moho, and a C program on libpq that sends the
/// transaction in one round trip, with one statement per table and arrays of values.
final class PostgresSaving {
  struct Show: MappedModel {
    var id: Int
    var name: String

    static let mapping = Mapping(
      "SavedShow", Show.init, .key("id", \.id, .unique), .key("name", \.name))
  }

  struct Chapter: MappedModel {
    var id: Int
    var title: String
    var episode: ModelReference<Episode>?

    static let mapping = Mapping(
      "SavedChapter", Chapter.init, .key("id", \.id, .unique), .key("title", \.title),
      .toOne("episode", \.episode, inverse: "chapters"))
  }

  /// An episode with a to-one and a to-many relation.
  struct Episode: MappedModel {
    var id: Int
    var title: String
    var show: Show
    var chapters: [Chapter]

    static let mapping = Mapping(
      "SavedEpisode", Episode.init, .key("id", \.id, .unique), .key("title", \.title),
      .toOne("show", \.show), .toMany("chapters", \.chapters, inverse: "episode"))
  }

  private let count: Int
  private let url: String
  private let store: ModelStore
  private let floor: OpaquePointer
  private let graphs: [Episode]
  private var context: EditingContext?
  private var partials: [Partial<FeedEpisode>] = []
  private var partialGraphs: [Partial<Episode>] = []
  private var batches = FloorBatches([])
  /// The number of the current run. The written values depend on it, so that they differ in
  /// each run.
  private var edition = 0

  init(count: Int, _ server: PostgresServer) throws {
    self.count = count
    let url = try server.emptySchema()
    self.url = url
    store = try ModelStore(postgres: url, models: FeedEpisode.self, Episode.self)
    guard let floor = postgres_floor_open(url) else {
      throw ChecksumMismatch(description: "the C program cannot connect")
    }
    self.floor = floor
    graphs = (0..<count).map { index in
      Episode(
        id: index, title: "Episode \(index)",
        show: Show(id: index % 100, name: "Show \(index % 100)"),
        chapters: (0..<2).map { Chapter(id: index * 2 + $0, title: "Chapter \($0)") })
    }
    try store.write { try $0.save((0..<count).map { FeedEpisode(number: $0) }) }
  }

  deinit { postgres_floor_close(floor) }

  private var title: String { "Episode \(edition): edited with others" }
  private var rating: Double { Double(edition) + 0.5 }

  /// The unique keys and the new titles of all rows, for the C program.
  private var ids: FloorBatch.Column { .integers((0..<count).map { Int64($0) }) }
  private var titles: FloorBatch.Column { .texts(Array(repeating: title, count: count)) }

  /// The contenders that save a context with two changed columns of each row.
  var contexts: [Contender] {
    edits("Moho, editing context") {
      let context = EditingContext(self.store)
      self.context = context
      for row in try context.fetch(ModelRequest<FeedEpisode>()) {
        try row.set(\FeedEpisode.title, to: self.title)
        try row.set(\FeedEpisode.rating, to: self.rating)
      }
    } run: {
      try self.context?.save()
      return self.count
    }
  }

  /// The contenders that update two columns of each row.
  var partialUpdates: [Contender] {
    edits("Moho, partial models") {
      self.partials = (0..<self.count).map { index in
        var partial = Partial<FeedEpisode>()
        partial[\.id] = index
        partial[\.title] = self.title
        partial[\.rating] = self.rating
        return partial
      }
    } run: {
      try self.store.write { try $0.update(self.partials) }.updated
    }
  }

  private func edits(
    _ name: String, reset: @escaping () throws -> Void, run: @escaping () throws -> Int
  ) -> [Contender] {
    let checksum = {
      try self.number(
        """
        SELECT count(*) FROM "FeedEpisode" WHERE title = '\(self.title)' AND rating = \(self.rating)
        """)
    }
    return [
      contender(name, writing: count, reset: reset, run: run, checksum: checksum),
      contender(
        "C, one update", writing: count,
        reset: {
          self.batches = FloorBatches([
            FloorBatch(
              sql: Self.update("FeedEpisode", ["id", "title", "rating"]),
              columns: [
                self.ids, self.titles, .numbers(Array(repeating: self.rating, count: self.count)),
              ])
          ])
        }, run: { self.batches.write(on: self.floor) }, checksum: checksum),
    ]
  }

  /// The contenders that save episodes with their shows and chapters into empty tables.
  var graphSaves: [Contender] {
    let written = count * 3 + min(100, count)
    let checksum = {
      try self.number(
        """
        SELECT sum(e.id + length(e.title) + s.id + length(s.name) + c.id + length(c.title)) \
        FROM "SavedEpisode" e JOIN "SavedShow" s ON s.id = e.show \
        JOIN "SavedChapter" c ON c.episode = e.id
        """)
    }
    let clear = {
      try self.execute(#"TRUNCATE "SavedEpisode", "SavedShow", "SavedChapter""#)
      try self.execute("CHECKPOINT")
    }
    return [
      contender(
        "Moho", writing: written, reset: clear,
        run: { try self.store.write { try $0.save(self.graphs) }.inserted }, checksum: checksum),
      contender(
        "C, one upsert per table", writing: written,
        reset: {
          try clear()
          self.batches = FloorBatches(self.graphBatches)
        }, run: { self.batches.write(on: self.floor) }, checksum: checksum),
    ]
  }

  private var graphBatches: [FloorBatch] {
    let chapters = graphs.flatMap { episode in episode.chapters.map { ($0, episode.id) } }
    let shows = graphs.prefix(100).map(\.show)
    return [
      FloorBatch(
        sql: Self.upsert("SavedShow", ["id", "name"]),
        columns: [.integers(shows.map { Int64($0.id) }), .texts(shows.map(\.name))]),
      FloorBatch(
        sql: Self.upsert("SavedEpisode", ["id", "title", "show"]),
        columns: [
          .integers(graphs.map { Int64($0.id) }), .texts(graphs.map(\.title)),
          .integers(graphs.map { Int64($0.show.id) }),
        ]),
      FloorBatch(
        sql: Self.upsert("SavedChapter", ["id", "title", "episode"]),
        columns: [
          .integers(chapters.map { Int64($0.0.id) }), .texts(chapters.map(\.0.title)),
          .integers(chapters.map { Int64($0.1) }),
        ]),
    ]
  }

  private static func parameters(_ columns: [String]) -> String {
    columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
  }

  /// A statement that updates columns. The first column is the unique key.
  private static func update(_ table: String, _ columns: [String]) -> String {
    let values = columns.dropFirst().map { "\($0) = i.\($0)" }.joined(separator: ", ")
    return """
      UPDATE "\(table)" AS t SET \(values) FROM unnest(\(parameters(columns))) \
      AS i(\(columns.joined(separator: ", "))) WHERE t.id = i.id
      """
  }

  private static func upsert(_ table: String, _ columns: [String]) -> String {
    let names = columns.joined(separator: ", ")
    let others = columns.dropFirst()
    return """
      INSERT INTO "\(table)" AS t (\(names)) SELECT * FROM unnest(\(parameters(columns))) \
      ON CONFLICT (id) DO UPDATE SET \
      \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")) WHERE \
      (\(others.map { "t.\($0)" }.joined(separator: ", "))) IS DISTINCT FROM \
      (\(others.map { "excluded.\($0)" }.joined(separator: ", ")))
      """
  }

  /// The contenders that update a column and the show of each stored episode.
  var partialGraphUpdates: [Contender] {
    let checksum = {
      try self.number(
        """
        SELECT count(*) FROM "SavedEpisode" \
        WHERE title = '\(self.title)' AND show = (id + \(self.edition)) % 100
        """)
    }
    func show(_ index: Int) -> Show {
      Show(id: (index + edition) % 100, name: "Show \((index + edition) % 100)")
    }
    return [
      contender(
        "Moho, partial models", writing: count,
        reset: {
          self.partialGraphs = (0..<self.count).map { index in
            var partial = Partial<Episode>()
            partial[\.id] = index
            partial[\.title] = self.title
            partial[\.show] = show(index)
            return partial
          }
        }, run: { try self.store.write { try $0.update(self.partialGraphs) }.updated },
        checksum: checksum),
      contender(
        "C, one upsert and one update", writing: count,
        reset: {
          let shows = (0..<min(100, self.count)).map { show($0) }
          self.batches = FloorBatches([
            FloorBatch(
              sql: Self.upsert("SavedShow", ["id", "name"]),
              columns: [.integers(shows.map { Int64($0.id) }), .texts(shows.map(\.name))]),
            FloorBatch(
              sql: Self.update("SavedEpisode", ["id", "title", "show"]),
              columns: [
                self.ids, self.titles, .integers((0..<self.count).map { Int64(show($0).id) }),
              ]),
          ])
        }, run: { self.batches.write(on: self.floor) }, checksum: checksum),
    ]
  }

  private func contender(
    _ name: String, writing written: Int, reset: @escaping () throws -> Void,
    run: @escaping () throws -> Int, checksum: @escaping () throws -> Double
  ) -> Contender {
    Contender(
      name: name,
      reset: {
        self.edition += 1
        try reset()
      },
      work: {
        let count = try run()
        guard count == written else {
          throw ChecksumMismatch(description: "\(name) has written \(count) rows, not \(written)")
        }
      }, checksum: checksum)
  }

  private func execute(_ sql: String) throws { try AdministratorConnection(url).execute(sql) }

  private func number(_ sql: String) throws -> Double {
    let rows = try AdministratorConnection(url).execute(sql)
    return rows.first?.first.flatMap { $0 }.flatMap { Double($0) } ?? .nan
  }
}
