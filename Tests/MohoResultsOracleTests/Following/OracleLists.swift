import MohoResults
import MohoRows
import MohoSQLite

extension Variant {
  /// An unsectioned list.
  static func plain(_ sql: String, _ request: ModelRequest<Model>) -> Variant {
    let request = request.batchSize(4)
    return Variant(
      sql: sql, start: { try ResultsController(request, in: $0) },
      set: { try $0.setRequest(request) })
  }

  /// A sectioned list.
  static func sectioned<Section: RequestOperand>(
    _ sql: String, _ request: ModelRequest<Model>,
    by section: @escaping (ModelKeys<Model>) -> Section
  ) -> Variant {
    let request = request.batchSize(4)
    return Variant(
      sql: sql,
      start: { try ResultsController(request, in: $0, sectionedBy: section) },
      set: { try $0.setRequest(request, sectionedBy: section) })
  }
}

/// Creates the followed lists of a store.
struct OracleLists {
  let store: ModelStore
  private(set) var all: [any FollowedList] = []

  init(_ store: ModelStore) throws {
    self.store = store
    try addShows()
    try addHosts()
    try addEpisodes()
    try addTags()
    try addNotes()
  }

  private mutating func add<Model: OracleModel>(
    _ name: String, _ variants: Variant<Model>..., isSectioned: Bool = false
  ) throws {
    all.append(try FollowedController(name, in: store, isSectioned: isSectioned, variants))
  }

  private mutating func addShows() throws {
    let shows = ModelRequest<Show>()
    try add(
      "shows",
      .plain("SELECT s.id, NULL, '' FROM Show s ORDER BY s.id", shows))
    try add(
      "shows in a window",
      .plain(
        "SELECT s.id, NULL, quote(s.rank) FROM Show s ORDER BY s.rank, s.id LIMIT 3 OFFSET 2",
        shows.order(by: \.rank).offset(2).limit(3)),
      .plain(
        "SELECT s.id, NULL, quote(s.title) FROM Show s ORDER BY s.title DESC, s.id DESC LIMIT 5",
        shows.order(by: \.title, .descending).limit(5)),
      .plain(
        "SELECT s.id, NULL, quote(s.title) FROM Show s WHERE s.rank > 3 ORDER BY s.title, s.id",
        shows.filter { $0.rank > 3 }.order(by: \.title)))
    try add(
      "best shows",
      .plain(
        "SELECT s.id, NULL, quote(s.rank) || quote(s.title) FROM Show s"
          + " ORDER BY s.rank DESC, s.title, s.id LIMIT 4",
        shows.order(by: \.rank, .descending).order(by: \.title).limit(4)))
    let ofHosts = "PARTITION BY h.name ORDER BY s.rank DESC, s.id DESC"
    let ofRanks = "PARTITION BY s.rank ORDER BY s.title, s.id"
    func numbered(_ window: String) -> String {
      "(SELECT s.id, s.rank, s.title, s.host, h.name, row_number() OVER (\(window)) AS n"
        + " FROM Show s LEFT JOIN Host h ON h.id = s.host) s"
    }
    try add(
      "best shows of hosts",
      .plain(
        "SELECT s.id, NULL, quote(s.rank), quote(s.host) || quote(s.name)"
          + " FROM \(numbered(ofHosts)) WHERE s.n <= 2 ORDER BY s.rank DESC, s.id DESC",
        shows.order(by: \.rank, .descending).first(2, per: { [$0.host.name] })),
      .plain(
        "SELECT s.id, NULL, quote(s.title), quote(s.rank) FROM \(numbered(ofRanks))"
          + " WHERE s.n = 1 ORDER BY s.title, s.id LIMIT 4 OFFSET 1",
        shows.order(by: \.title).first(1, per: { [$0.rank] }).offset(1).limit(4)))
    try add(
      "shows by host",
      .sectioned(
        "SELECT s.id, h.name, quote(h.name) || quote(s.title), s.host FROM Show s"
          + " LEFT JOIN Host h ON h.id = s.host ORDER BY h.name, s.title, s.id",
        shows.order { $0.host.name }.order(by: \.title), by: { $0.host.name }),
      .sectioned(
        "SELECT s.id, h.name, quote(h.name) || quote(s.rank) FROM Show s"
          + " LEFT JOIN Host h ON h.id = s.host ORDER BY h.name DESC, s.rank, s.id",
        shows.order(.descending) { $0.host.name }.order(by: \.rank), by: { $0.host.name }),
      isSectioned: true)
    try add(
      "shows by network",
      .sectioned(
        "SELECT s.id, n.name, quote(n.name) || quote(s.title) FROM Show s"
          + " LEFT JOIN Host h ON h.id = s.host LEFT JOIN Network n ON n.id = h.network"
          + " ORDER BY n.name DESC, s.title DESC, s.id DESC LIMIT 6 OFFSET 1",
        shows.order(.descending) { $0.host.network.name }.order(by: \.title, .descending)
          .offset(1).limit(6), by: { $0.host.network.name }),
      isSectioned: true)
    try add(
      "shows of late hosts",
      .plain(
        "SELECT s.id, NULL, quote(s.rank) FROM Show s JOIN Host h ON h.id = s.host"
          + " WHERE h.name > 'c' ORDER BY s.rank, s.id",
        shows.filter { $0.host.name > "c" }.order(by: \.rank)))
    let guests = "(SELECT count(*) FROM \"_moho_Show_guests\" g WHERE g.source = s.id)"
    try add(
      "shows by guests",
      .plain(
        "SELECT s.id, NULL, \(guests), (SELECT group_concat(h.id || '=' || quote(h.rank)) FROM"
          + " \"_moho_Show_guests\" g JOIN Host h ON h.id = g.target WHERE g.source = s.id)"
          + " FROM Show s WHERE EXISTS (SELECT 1 FROM"
          + " \"_moho_Show_guests\" g JOIN Host h ON h.id = g.target"
          + " WHERE g.source = s.id AND h.rank > 2) ORDER BY \(guests) DESC, s.id DESC",
        shows.filter { $0.guests.any { $0.rank > 2 } }.order(.descending) { $0.guests.count }))
    let episodes = "(SELECT count(*) FROM Episode e WHERE e.show = s.id)"
    try add(
      "shows by episodes",
      .plain(
        "SELECT s.id, NULL, \(episodes) FROM Show s WHERE \(episodes) >= 1"
          + " ORDER BY \(episodes), s.id",
        shows.filter { $0.episodes.count >= 1 }.order { $0.episodes.count }))
  }

  private mutating func addHosts() throws {
    let hosts = ModelRequest<Host>()
    try add(
      "hosts by name",
      .plain(
        "SELECT h.id, NULL, quote(h.name) FROM Host h ORDER BY h.name, h.id",
        hosts.order(by: \.name)))
    try add(
      "hosts by mentor",
      .sectioned(
        "SELECT h.id, m.name, quote(m.name) || quote(h.rank), h.mentor FROM Host h"
          + " LEFT JOIN Host m ON m.id = h.mentor ORDER BY m.name, h.rank DESC, h.id DESC",
        hosts.order { $0.mentor.name }.order(by: \.rank, .descending), by: { $0.mentor.name }),
      isSectioned: true)
    try add(
      "hosts of friends",
      .plain(
        "SELECT h.id, NULL, quote(h.rank), (SELECT group_concat(f.id || '=' || f.name) FROM"
          + " \"_moho_Host_friends\" l JOIN Host f ON f.id = l.target WHERE l.source = h.id)"
          + " FROM Host h WHERE EXISTS (SELECT 1 FROM"
          + " \"_moho_Host_friends\" l JOIN Host f ON f.id = l.target"
          + " WHERE l.source = h.id AND f.name < 'c') ORDER BY h.rank NULLS LAST, h.id",
        hosts.filter { $0.friends.any { $0.name < "c" } }.order(by: \.rank, nils: .last)))
    let fans = "(SELECT count(*) FROM \"_moho_Host_friends\" l WHERE l.target = h.id)"
    try add(
      "hosts by fans",
      .plain(
        "SELECT h.id, NULL, \(fans), (SELECT group_concat(m.id || '=' || quote(m.rank)) FROM Host m"
          + " WHERE m.mentor = h.id) FROM Host h WHERE NOT EXISTS (SELECT 1 FROM Host m"
          + " WHERE m.mentor = h.id AND m.rank IS NULL) ORDER BY \(fans) DESC, h.id DESC LIMIT 5",
        hosts.filter { $0.mentees.none { $0.rank == nil } }
          .order(.descending) { $0.fans.count }.limit(5)))
    try add(
      "hosts by network",
      .plain(
        "SELECT h.id, NULL, quote(n.name) || quote(h.name) FROM Host h"
          + " LEFT JOIN Network n ON n.id = h.network ORDER BY n.name, h.name, h.id"
          + " LIMIT -1 OFFSET 3",
        hosts.order { $0.network.name }.order(by: \.name).offset(3)))
    try add(
      "hosts of mentors with friends",
      .plain(
        "SELECT h.id, NULL, '' FROM Host h WHERE EXISTS (SELECT 1 FROM \"_moho_Host_friends\" l"
          + " JOIN Host f ON f.id = l.target JOIN Network n ON n.id = f.network"
          + " WHERE l.source = h.mentor AND n.name > 'b') ORDER BY h.id",
        hosts.filter { $0.mentor[\.friends].any { $0.network.name > "b" } }))
  }

  private mutating func addEpisodes() throws {
    let episodes = ModelRequest<Episode>()
    try add(
      "episodes by season",
      .sectioned(
        "SELECT e.id, e.season, quote(e.season) || '/' || e.minutes FROM Episode e"
          + " ORDER BY e.season, e.minutes DESC, e.id DESC",
        episodes.order(by: \.season).order(by: \.minutes, .descending), by: { $0.season }),
      isSectioned: true)
    try add(
      "episodes by host",
      .sectioned(
        "SELECT e.id, h.name, quote(h.name) || quote(e.title), s.id || '/' || s.host FROM Episode e"
          + " LEFT JOIN Show s ON s.id = e.show LEFT JOIN Host h ON h.id = s.host"
          + " ORDER BY h.name, e.title, e.id",
        episodes.order { $0.show.host.name }.order(by: \.title), by: { $0.show.host.name }),
      isSectioned: true)
    let tags = "\"_moho_Episode_tags\" a JOIN Tag g ON g._moho_id = a.target"
    try add(
      "episodes of heavy tags",
      .plain(
        "SELECT e.id, NULL, quote(e.title), NULL FROM Episode e WHERE EXISTS (SELECT 1 FROM \(tags)"
          + " WHERE a.source = e.id AND g.weight > 4) ORDER BY e.title, e.id LIMIT 4",
        episodes.filter { $0.tags.any { $0.weight > 4 } }.order(by: \.title).limit(4)))
    try add(
      "episodes of high shows",
      .plain(
        "SELECT e.id, NULL, quote(s.title), s.rank || '/' || s.id FROM Episode e JOIN Show s ON s.id = e.show"
          + " WHERE s.rank > 3 ORDER BY s.title DESC, e.id DESC LIMIT 5 OFFSET 1",
        episodes.filter { $0.show.rank > 3 }.order(.descending) { $0.show.title }
          .offset(1).limit(5)))
    let tagCount = "(SELECT count(*) FROM \"_moho_Episode_tags\" a WHERE a.source = e.id)"
    let noteCount =
      "(SELECT count(*) FROM Note o WHERE o.episode = e.id AND o.weight > 3)"
    try add(
      "episodes by counts",
      .sectioned(
        "SELECT e.id, \(tagCount), \(tagCount) || '/' || \(noteCount) FROM Episode e"
          + " ORDER BY \(tagCount), \(noteCount) DESC, e.id DESC",
        episodes.order { $0.tags.count }
          .order(.descending) { $0.notes.count(where: { $0.weight > 3 }) },
        by: { $0.tags.count }),
      isSectioned: true)
    try add(
      "episodes of not all light tags",
      .plain(
        "SELECT e.id, NULL, e.minutes FROM Episode e WHERE EXISTS (SELECT 1 FROM \(tags)"
          + " WHERE a.source = e.id AND NOT g.weight < 5) ORDER BY e.minutes, e.id",
        episodes.filter { !$0.tags.all { $0.weight < 5 } }.order(by: \.minutes)))
  }

  private mutating func addTags() throws {
    let tags = ModelRequest<Tag>()
    try add(
      "tags by weight",
      .sectioned(
        "SELECT g._moho_id, g.weight, g.weight || quote(g.name) FROM Tag g"
          + " ORDER BY g.weight, g.name, g._moho_id",
        tags.order(by: \.weight).order(by: \.name), by: { $0.weight }),
      isSectioned: true)
    try add(
      "tags of high shows",
      .plain(
        "SELECT g._moho_id, NULL, g.weight, (SELECT group_concat(e.id || '=' || s.id || s.rank)"
          + " FROM \"_moho_Episode_tags\" a JOIN Episode e ON e.id = a.source"
          + " JOIN Show s ON s.id = e.show WHERE a.target = g._moho_id) FROM Tag g WHERE EXISTS"
          + " (SELECT 1 FROM"
          + " \"_moho_Episode_tags\" a JOIN Episode e ON e.id = a.source"
          + " JOIN Show s ON s.id = e.show WHERE a.target = g._moho_id AND s.rank > 2)"
          + " ORDER BY g.weight DESC, g._moho_id DESC LIMIT 4 OFFSET 1",
        tags.filter { $0.episodes.any { $0.show.rank > 2 } }
          .order(by: \.weight, .descending).offset(1).limit(4)))
  }

  private mutating func addNotes() throws {
    let notes = ModelRequest<Note>()
    try add(
      "notes",
      .plain("SELECT o._moho_id, NULL, '' FROM Note o ORDER BY o._moho_id LIMIT 6", notes.limit(6)),
      .plain(
        "SELECT o._moho_id, NULL, '' FROM Note o WHERE o.text > 'b' ORDER BY o._moho_id"
          + " LIMIT -1 OFFSET 1", notes.filter { $0.text > "b" }.offset(1)))
    try add(
      "notes by episode",
      .sectioned(
        "SELECT o._moho_id, e.title, quote(e.title) || quote(o.text), e.id FROM Note o"
          + " LEFT JOIN Episode e ON e.id = o.episode ORDER BY e.title, o.text, o._moho_id",
        notes.order { $0.episode.title }.order(by: \.text), by: { $0.episode.title }),
      isSectioned: true)
    try add(
      "networks",
      .plain(
        "SELECT n.id, NULL, quote(n.name) FROM Network n ORDER BY n.name DESC, n.id DESC",
        ModelRequest<Network>().order(by: \.name, .descending)))
  }
}
