import Moho

/// The lists that clients follow, and the number of their clients.
struct LiveLists {
  private struct Entry {
    let list: EpisodeList
    let task: Task<LiveList, any Error>
    var clients = 0
    /// Changes when a client comes or leaves.
    var activity = 0
  }

  private var entries: [Int: Entry] = [:]
  /// The entries that new clients enter.
  private var current: [EpisodeList: Int] = [:]
  private var lastID = 0

  /// The lists that new clients can enter.
  var followed: [EpisodeList] { Array(current.keys) }

  /// The task that opens a list; nil if the list is not followed.
  func task(of list: EpisodeList) -> Task<LiveList, any Error>? {
    current[list].flatMap { entries[$0]?.task }
  }

  /// Adds a client to a list.
  ///
  /// - Parameter open: Starts to open the list.
  /// - Throws: ``PageError`` if there are too many clients or lists.
  mutating func enter(
    _ list: EpisodeList, _ configuration: ServiceConfiguration,
    open: () -> Task<LiveList, any Error>
  ) throws -> (id: Int, task: Task<LiveList, any Error>) {
    let clients = entries.values.reduce(0) { $0 + $1.clients }
    guard clients < configuration.clientLimit else {
      throw PageError(.busy, "too many pages are open")
    }
    if current[list] == nil {
      while entries.count >= configuration.listLimit { try closeOldest() }
      lastID += 1
      entries[lastID] = Entry(list: list, task: open())
      current[list] = lastID
    }
    guard let id = current[list], var entry = entries[id] else {
      throw PageError(.failed, "the list is not open")
    }
    entry.clients += 1
    entry.activity += 1
    entries[id] = entry
    return (id, entry.task)
  }

  /// Closes the oldest list without clients.
  private mutating func closeOldest() throws {
    guard let id = entries.filter({ $0.value.clients == 0 }).keys.min() else {
      throw PageError(.busy, "too many different lists are open")
    }
    let task = remove(id)
    Task { try await task?.value.stop() }
  }

  /// Removes a client from a list.
  ///
  /// - Returns: The current activity if the list has no clients any more.
  mutating func leave(_ id: Int) -> Int? {
    guard var entry = entries[id] else { return nil }
    entry.clients -= 1
    entry.activity += 1
    entries[id] = entry
    return entry.clients == 0 ? entry.activity : nil
  }

  /// Removes a list that has had no clients since an activity.
  mutating func close(_ id: Int, ifIdleSince activity: Int) -> Task<LiveList, any Error>? {
    entries[id]?.activity == activity ? remove(id) : nil
  }

  /// Gives up a list that is being opened, if it has no other client.
  ///
  /// - Returns: The task to cancel.
  mutating func abandon(_ id: Int) -> Task<LiveList, any Error>? {
    guard let entry = entries[id], entry.clients == 1 else { return nil }
    discard(id)
    return entry.task
  }

  /// Lets new clients open a list again, since it has failed.
  mutating func discard(_ id: Int) {
    if let list = entries[id]?.list, current[list] == id { current[list] = nil }
  }

  private mutating func remove(_ id: Int) -> Task<LiveList, any Error>? {
    discard(id)
    return entries.removeValue(forKey: id)?.task
  }
}
