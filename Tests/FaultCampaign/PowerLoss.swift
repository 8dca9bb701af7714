import CFaultyFiles
import GRDB
import Moho
import MohoTesting

/// Records the changes of files while a store is used, and checks the files that remain if the
/// power fails at any moment.
struct PowerLoss {
  /// How a connection synchronizes its files.
  enum Durability: String, CaseIterable {
    /// The default of stores: a commit may be lost until the log is synchronized.
    case normal
    /// A commit is on the disk when it returns.
    case full
    /// As `full`, but synchronizations have no effect. For a test of this campaign.
    case broken
  }

  /// A moment of the recording.
  struct Moment: CustomStringConvertible {
    var event: Int
    var loss: Disk.Loss
    var seed: UInt64

    init(event: Int, loss: Disk.Loss, seed: UInt64) {
      self.event = event
      self.loss = loss
      self.seed = seed
    }

    /// Reads a description.
    init?(_ words: [String]) {
      guard words.count == 3, let event = Int(words[0]), let loss = Disk.Loss(rawValue: words[1]),
        let seed = UInt64(words[2])
      else { return nil }
      self.init(event: event, loss: loss, seed: seed)
    }

    var description: String { "\(event) \(loss.rawValue) \(seed)" }
  }

  let operation: Operation
  let workspace: Workspace
  let events: [FileEvent]
  private let durability: Durability
  /// The states of the file, each with the number of events after which it was acknowledged.
  private var states: [(end: Int, state: FileState)] = []

  init(_ operation: Operation, _ durability: Durability, in workspace: Workspace) throws {
    self.operation = operation
    self.workspace = workspace
    self.durability = durability
    let files = workspace.files(before: operation)
    try workspace.restore(files)
    states = [(0, try FileState(workspace.path))]
    try workspace.restore(files)
    faulty_record(1)
    faulty_ignore_syncs(durability == .broken ? 1 : 0)
    defer {
      faulty_record(0)
      faulty_ignore_syncs(0)
    }
    var found = states
    func acknowledge() throws {
      let end = Int(faulty_event_count())
      found.append((end, try FileState(workspace.path)))
    }
    let store = try operation.openStore(workspace.path)
    try acknowledge()
    if durability != .normal {
      try store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
    if !operation.opens {
      let users = try StoreUsers(store)
      try users.edit()
      try operation.perform(in: users)
      try acknowledge()
    }
    if operation != .close {
      for round in 1...2 {
        try store.write { try $0.save(Podcast.number(900 + round)) }
        try acknowledge()
        try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
      }
    }
    try store.writer.close()
    try acknowledge()
    states = found
    events = FileEvent.recorded
  }

  /// Moments before and after each event, or some of them.
  func moments(limit: Int, seed: UInt64) -> [Moment] {
    var generator = SeededGenerator(seed: seed)
    let all = (0...events.count).flatMap { event in
      Disk.Loss.allCases.map { Moment(event: event, loss: $0, seed: generator.next()) }
    }
    return Array(all.shuffled(using: &generator).prefix(limit))
  }

  /// Opens the files that remain if the power fails.
  ///
  /// - Returns: What is wrong.
  func problems(_ moment: Moment) -> [String] {
    var disk = Disk(workspace.files(before: operation))
    var synced = 0
    for (index, event) in events.prefix(moment.event).enumerated() {
      disk.apply(event)
      if case .sync = event { synced = index + 1 }
    }
    var generator = SeededGenerator(seed: moment.seed)
    let outcome = Outcome()
    outcome.note("opening the files") {
      try workspace.restore(disk.files(after: moment.loss, &generator))
      let state = try FileState(workspace.path)
      outcome.problems += state.problems
      let acknowledged = states.lastIndex { $0.end <= moment.event } ?? 0
      // Opening the store synchronizes the log only if it begins one. The same holds for all
      // commits unless each of them waits for the disk.
      let waitsForDisk = durability != .normal && acknowledged > 1
      let durable =
        moment.loss == .nothing || waitsForDisk
        ? acknowledged : states.lastIndex { $0.end <= synced } ?? 0
      let possible = states[durable...min(acknowledged + 1, states.count - 1)]
      if !possible.contains(where: { $0.state == state }) {
        let nearest = possible.map { FileState.difference(state.lines, $0.state.lines) }
        outcome.problems.append("the file \(nearest[0])")
      }
      let store = try operation.openStore(workspace.path)
      outcome.problems += try store.check().damage
      try store.write { try $0.save(Podcast.number(950)) }
      try store.writer.close()
    }
    return outcome.problems
  }
}
