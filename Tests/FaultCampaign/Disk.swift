import CFaultyFiles
import MohoTesting

/// A change of a file in a folder.
enum FileEvent {
  case create(String)
  case write(String, offset: Int, [UInt8])
  case truncate(String, size: Int)
  /// The file is on the disk, with its name.
  case sync(String)
  case delete(String, syncsFolder: Bool)

  /// The changes that were recorded.
  static var recorded: [FileEvent] {
    (0..<faulty_event_count()).compactMap { index in
      let event = faulty_event_at(index)
      let name = withUnsafeBytes(of: event.name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      switch Int(event.call) {
      case faulty_open: return .create(name)
      case faulty_truncate: return .truncate(name, size: Int(event.offset))
      case faulty_sync: return .sync(name)
      case faulty_delete: return .delete(name, syncsFolder: event.offset != 0)
      default:
        // SAFETY: The recording owns the bytes and is not changed during the call.
        let bytes = UnsafeBufferPointer(start: event.bytes, count: event.count)
        return .write(name, offset: Int(event.offset), Array(bytes))
      }
    }
  }
}

/// The files of a folder on a disk that can lose power.
///
/// Changes since the last synchronization of a file can be lost, in any combination.
struct Disk {
  /// How much of the changes survives a loss of power.
  enum Loss: String, CaseIterable {
    /// Nothing that is not synchronized.
    case everything
    /// Each write is complete or lost.
    case someWrites
    /// Each sector of 512 bytes is written or not.
    case someSectors
    /// Nothing is lost. The process ends.
    case nothing
  }

  fileprivate enum Change {
    case write(offset: Int, [UInt8])
    case truncate(size: Int)
  }

  fileprivate struct File {
    var synced: [UInt8] = []
    var changes: [Change] = []
    var isNamed = false
  }

  private var files: [String: File]
  /// Deleted files that can have their names again.
  private var deleted: [String: File] = [:]

  /// - Parameter files: Files that are on the disk.
  init(_ files: [String: [UInt8]]) {
    self.files = files.mapValues { File(synced: $0, isNamed: true) }
  }

  mutating func apply(_ event: FileEvent) {
    switch event {
    case .create(let name): files[name] = File()
    case .write(let name, let offset, let bytes):
      files[name, default: File()].changes.append(.write(offset: offset, bytes))
    case .truncate(let name, let size):
      files[name, default: File()].changes.append(.truncate(size: size))
    case .sync(let name):
      files[name]?.sync()
      // SQLite synchronizes the folder with a new file.
      if files[name]?.isNamed == false { syncFolder() }
    case .delete(let name, let syncsFolder):
      if let file = files.removeValue(forKey: name), file.isNamed { deleted[name] = file }
      if syncsFolder { syncFolder() }
    }
  }

  private mutating func syncFolder() {
    deleted = [:]
    for name in files.keys { files[name]?.isNamed = true }
  }

  /// The files after a loss of power.
  func files(after loss: Loss, _ generator: inout SeededGenerator) -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    // The order of dictionaries is random.
    for name in Set(files.keys).union(deleted.keys).sorted() {
      let survives =
        switch loss {
        case .nothing: files[name]
        case .everything: files[name].flatMap { $0.isNamed ? $0 : nil } ?? deleted[name]
        default:
          files[name].flatMap { $0.isNamed || generator.oneIn(2) ? $0 : nil }
            ?? (generator.oneIn(2) ? deleted[name] : nil)
        }
      found[name] = survives?.bytes(after: loss, &generator)
    }
    return found
  }
}

extension Disk.File {
  fileprivate mutating func sync() {
    var generator = SeededGenerator(seed: 0)
    synced = bytes(after: .nothing, &generator)
    changes = []
  }

  fileprivate func bytes(
    after loss: Disk.Loss, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    if loss == .everything { return synced }
    var bytes = synced
    for change in changes {
      switch change {
      case .truncate(let size):
        if loss == .nothing || generator.oneIn(2) { bytes.resize(to: size) }
      case .write(let offset, let new):
        if loss == .nothing || loss == .someWrites {
          if loss == .nothing || generator.oneIn(2) { bytes.write(new[...], at: offset) }
          continue
        }
        for start in stride(from: 0, to: new.count, by: 512) where generator.oneIn(2) {
          bytes.write(new[start..<min(start + 512, new.count)], at: offset + start)
        }
      }
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func resize(to size: Int) {
    if size < count { removeLast(count - size) }
    if size > count { append(contentsOf: repeatElement(0, count: size - count)) }
  }

  fileprivate mutating func write(_ new: ArraySlice<UInt8>, at offset: Int) {
    if count < offset + new.count { resize(to: offset + new.count) }
    replaceSubrange(offset..<offset + new.count, with: new)
  }
}
