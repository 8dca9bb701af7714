import MohoMapping
import MohoRows
import MohoSQLite

extension OracleRun {
  func saveModels() throws {
    let models = RandomModels(hosts: try database.integers("SELECT id FROM Host ORDER BY id"))
    let choice = random.below(6)
    // Calls that fail are undone, and the transaction goes on.
    let goesOn = random.chance(1, in: 3)
    do {
      try store.write { writer in
        if goesOn { try execute(RandomStatements.statement(&random), writer) }
        do { try save(choice, models, writer) } catch  where goesOn {
          log.append("  undone: \(error)")
        }
        guard goesOn else { return }
        let hosts = try (0..<2).map { _ in try models.host(&random) }
        log.append("  plan \(hosts.map(\.modelText))")
        _ = try? writer.plan(saving: hosts)
        try? writer.execute(
          sql: "\(RandomStatements.statement(&random)); DELETE FROM \"no table\"")
        try execute(RandomStatements.statement(&random), writer)
      }
    } catch {
      log.append("  save failed: \(error)")
    }
  }

  private func execute(_ sql: String, _ writer: StoreWriter) throws {
    log.append("  \(sql)")
    try writer.execute(sql: sql)
  }

  private func save(_ choice: Int, _ models: RandomModels, _ writer: StoreWriter) throws {
    switch choice {
    case 0:
      let show = try models.show(&random)
      log.append("  save \(show.modelText)")
      try writer.save(show)
    case 1:
      let hosts = try (0..<1 + random.below(3)).map { _ in try models.host(&random) }
      log.append("  save \(hosts.map(\.modelText))")
      try writer.save(hosts)
    case 2:
      let episode = try models.episode(&random)
      log.append("  save \(episode.modelText)")
      try writer.save(episode)
    case 3:
      var change = Partial<Show>()
      change[\.id] = 1 + random.below(10)
      change[\.title] = RandomStatements.plainName(&random)
      if random.chance(1, in: 2) { change[\.host] = .some(try models.host(&random)) }
      log.append("  update \(change)")
      try writer.update([change])
    case 4:
      let rank = random.below(8)
      log.append("  delete shows of rank \(rank)")
      try writer.delete(ModelRequest<Show>().filter { $0.rank == rank })
    default:
      let tags = (0..<1 + random.below(3)).map { _ in models.tag(&random) }
      log.append("  mirror \(tags.map(\.modelText))")
      try writer.save(
        tags, mode: .mirror(ModelRequest<Tag>().filter { $0.weight > 3 }, deletingAtMost: 0.6))
    }
  }

  func editContext() async throws {
    let context = EditingContext(store)
    do {
      let hosts = try context.fetch(ModelRequest<Host>().order(by: \.id).rows)
      let shows = try context.fetch(ModelRequest<Show>().order(by: \.id).rows)
      for _ in 0..<1 + random.below(4) {
        switch random.below(8) {
        case 0:
          guard !hosts.isEmpty else { continue }
          let row = random.pick(hosts)
          try row.set(\Host.name, to: RandomStatements.plainName(&random))
          log.append("  context: rename \(row.identity)")
        case 1:
          guard !shows.isEmpty, !hosts.isEmpty else { continue }
          let (row, host) = (random.pick(shows), random.pick(hosts))
          try row.setRelatedRow("host", to: host)
          log.append("  context: \(row.identity) gets \(host.identity)")
        case 2:
          guard !shows.isEmpty, !hosts.isEmpty else { continue }
          let row = random.pick(shows)
          let guests = hosts.filter { _ in random.chance(1, in: 3) }
          try row.setRelatedRows("guests", to: guests)
          log.append("  context: \(row.identity) gets guests \(guests.map(\.identity))")
        case 3:
          guard !hosts.isEmpty else { continue }
          let row = random.pick(hosts)
          let friends = hosts.filter { _ in random.chance(1, in: 3) }.reversed()
          try row.setRelatedRows("friends", to: friends)
          log.append("  context: \(row.identity) gets friends \(friends.map(\.identity))")
        case 4:
          let row = try context.insert(Host.self).row
          try row.set("id", to: 1 + random.below(12))
          try row.set("name", to: RandomStatements.plainName(&random))
          log.append("  context: insert host \(row.changedValues)")
        case 5:
          guard !shows.isEmpty else { continue }
          let row = random.pick(shows)
          try row.set(\Show.rank, to: random.below(8))
          log.append("  context: rank of \(row.identity)")
        case 6:
          guard !hosts.isEmpty else { continue }
          let row = random.pick(hosts)
          log.append("  context: delete \(row.identity)")
          try context.delete(row)
        default:
          guard !shows.isEmpty else { continue }
          let row = random.pick(shows)
          let episodes = try row.relatedRows("episodes").reversed()
          try row.setRelatedRows("episodes", to: episodes)
          log.append("  context: reverse episodes of \(row.identity)")
        }
      }
      if random.chance(1, in: 6) {
        let sql = RandomStatements.statement(&random)
        log.append("  meanwhile: \(sql)")
        try? await store.write { try $0.execute(sql: sql) }
        try await settle()
      }
      try context.save()
      log.append("  context saved")
    } catch let disagreement as Disagreement {
      throw disagreement
    } catch {
      log.append("  context failed: \(error)")
    }
  }
}
