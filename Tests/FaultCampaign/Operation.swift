import Foundation
import GRDB
import Moho

/// An operation of a store whose faults are tested.
enum Operation: String, CaseIterable {
  // Operations that open a store.
  case create, open, migrate, migrateBySteps, index
  // Operations of an open store.
  case read, save, importModels, saveGraph, saveContext, delete, deleteModels, plan, trimHistory
  case follow, checkpoint, close

  /// Whether the operation opens a store.
  var opens: Bool {
    switch self {
    case .create, .open, .migrate, .migrateBySteps, .index: true
    default: false
    }
  }

  private var configuration: StoreConfiguration {
    // Nothing happens in the background.
    var configuration = StoreConfiguration(busyTimeout: 0.05, externalChangesInterval: 3_600)
    configuration.watchesLog = false
    configuration.history = .enabled()
    configuration.logCheckInterval = 0
    // Large transactions write before they are committed.
    if self == .importModels { configuration.cacheSize = 40_000 }
    return configuration
  }

  /// Opens the store. If the operation opens a store, this is the operation.
  func openStore(_ path: String) throws -> ModelStore {
    var configuration = configuration
    switch self {
    case .migrate:
      configuration.renamings = [Renaming(\LaterMark.content, from: "text")]
      return try ModelStore(
        path: path, models: LaterMark.self, Podcast.self, configuration: configuration)
    case .migrateBySteps:
      configuration.migrations = [
        Migration("measure") { steps in
          steps.transform("length", of: "Mark", into: "length") { length in
            guard case .int64(let length) = length else { return .string("") }
            return .string("\(length) m")
          }
        }
      ]
      return try ModelStore(
        path: path, models: MeasuredMark.self, Podcast.self, configuration: configuration)
    case .index:
      return try ModelStore(
        path: path, models: SearchedMark.self, Podcast.self, configuration: configuration)
    default:
      return try ModelStore(
        path: path, models: Mark.self, Podcast.self, configuration: configuration)
    }
  }

  /// Performs an operation of an open store.
  func perform(in users: StoreUsers) throws {
    let store = users.store
    switch self {
    case .create, .open, .migrate, .migrateBySteps, .index: break
    case .read:
      _ = try store.fetch(ModelRequest<Mark>().order(by: \.text))
      _ = try store.fetch(ModelRequest<Podcast>())
    case .save:
      try store.write { try $0.save((30..<50).map { Mark.number($0, round: 1) }) }
    case .importModels:
      try store.write {
        try $0.save((1...400).map { Mark.number($0, round: 2) }, progress: { _ in })
      }
    case .saveGraph:
      try store.write { try $0.save((3...5).map { Podcast.number($0, round: 1) }) }
    case .saveContext: try users.context.save()
    case .delete:
      try store.write { try $0.delete(ModelRequest<Podcast>().filter { $0.id < 3 }) }
    case .deleteModels:
      try store.write { try $0.delete((1...20).map { Mark.number($0) }) }
    case .plan:
      try store.apply(store.plan(saving: (2...4).map { Podcast.number($0, round: 2) }))
    case .trimHistory: try store.write { try $0.deleteHistory(before: .distantFuture) }
    case .follow:
      users.longMarks = try ResultsController(
        ModelRequest<Mark>().filter { $0.length > 10 }.order(by: \.length), in: store)
    case .checkpoint:
      try store.writer.writeWithoutTransaction { _ = try $0.checkpoint(.passive) }
    case .close: try store.writer.close()
    }
  }
}
