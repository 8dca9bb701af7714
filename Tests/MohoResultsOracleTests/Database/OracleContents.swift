/// The values of a row's keys.
struct RowContent: Equatable {
  /// The value of each key as text.
  let values: [String]
  /// The value of each key as text, with the IDs and positions of linked rows.
  let links: [String]
}

/// The SQL that reads the values of a model type, one text for each key.
///
/// Written by hand for the tables, without code of the store.
struct ContentSQL {
  /// Whether texts include the IDs and positions of linked rows.
  let showsLinks: Bool

  static func select(_ kind: ModelKind) -> String {
    let identity = kind == .tag || kind == .note ? "_moho_id" : "id"
    let columns = ContentSQL(showsLinks: false).keys(of: kind)
    let links = ContentSQL(showsLinks: true).keys(of: kind)
    return
      "SELECT t.\(identity), \((columns + links).joined(separator: ", ")) FROM \(kind.rawValue) t"
  }

  private func keys(of kind: ModelKind) -> [String] {
    switch kind {
    case .network: network("t")
    case .host: host("t")
    case .show: show("t")
    case .episode: episode("t")
    case .tag: tag("t")
    case .note: note("t")
    }
  }

  /// The rows of a to-many relation, in order, as one text.
  private func list(
    _ value: String, identity: String, position: String? = nil, from rows: String
  ) -> String {
    let link = " || '#' || \(identity) || '@' || quote(\(position ?? "NULL"))"
    let order = position.map { "\($0) NULLS LAST, \(identity)" } ?? identity
    let select = "SELECT \(value)\(showsLinks ? link : "") AS v FROM \(rows) ORDER BY \(order)"
    return "'[' || coalesce((SELECT group_concat(v, ' ') FROM (\(select))), '') || ']'"
  }

  private func text(_ kind: ModelKind, _ keys: [String]) -> String {
    "'\(kind.rawValue)(' || \(keys.joined(separator: " || ',' || ")) || ')'"
  }

  private func network(_ row: String) -> [String] {
    ["quote(\(row).id)", "quote(\(row).name)"]
  }

  private func host(_ row: String) -> [String] {
    let network =
      "coalesce((SELECT \(text(.network, network("n"))) FROM Network n"
      + " WHERE n.id = \(row).network), 'nil')"
    let friends = "\"_moho_Host_friends\" l WHERE l"
    return [
      "quote(\(row).id)", "quote(\(row).name)", "quote(\(row).rank)", network,
      "quote(\(row).mentor)",
      list("m.id", identity: "m.id", from: "Host m WHERE m.mentor = \(row).id"),
      list(
        "l.target", identity: "l.target", position: "l.target_position",
        from: "\(friends).source = \(row).id"),
      list(
        "l.source", identity: "l.source", position: "l.source_position",
        from: "\(friends).target = \(row).id"),
    ]
  }

  private func show(_ row: String) -> [String] {
    [
      "quote(\(row).id)", "quote(\(row).title)", "quote(\(row).rank)",
      "coalesce((SELECT \(text(.host, host("h"))) FROM Host h WHERE h.id = \(row).host), 'nil')",
      list(
        "u.target", identity: "u.target",
        from: "\"_moho_Show_guests\" u WHERE u.source = \(row).id"),
      list(
        text(.episode, episode("e")), identity: "e.id", position: "e._moho_position_show",
        from: "Episode e WHERE e.show = \(row).id"),
    ]
  }

  private func episode(_ row: String) -> [String] {
    [
      "quote(\(row).id)", "quote(\(row).title)", "quote(\(row).season)", "quote(\(row).minutes)",
      "quote(\(row).show)",
      list(
        text(.tag, tag("g")), identity: "g._moho_id", position: "a.target_position",
        from: "\"_moho_Episode_tags\" a JOIN Tag g ON g._moho_id = a.target"
          + " WHERE a.source = \(row).id"),
      list(
        text(.note, note("o")), identity: "o._moho_id", position: "o._moho_position_episode",
        from: "Note o WHERE o.episode = \(row).id"),
    ]
  }

  private func tag(_ row: String) -> [String] {
    [
      "quote(\(row).name)", "quote(\(row).weight)",
      list(
        "b.source", identity: "b.source", position: "b.source_position",
        from: "\"_moho_Episode_tags\" b WHERE b.target = \(row)._moho_id"),
    ]
  }

  private func note(_ row: String) -> [String] {
    ["quote(\(row).text)", "quote(\(row).weight)", "quote(\(row).episode)"]
  }
}
