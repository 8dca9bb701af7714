import Moho

/// Which tasks to list: conditions that all hold.
public struct TaskQuery: Sendable {
  /// The priorities to list, or none for all.
  public var priorities: Set<Int> = []
  /// Whether to list what is done, what is not, or both where it is nil.
  public var isCompleted: Bool?
  /// What the text contains, whatever the case and the accents.
  public var search = ""

  /// Makes a query for all tasks.
  public init() {}

  /// What is open first, then the most urgent, then by text.
  var request: RowRequest {
    var request = RowRequest(Entity.task.name)
    if !priorities.isEmpty {
      request = request.filter { $0[TaskKey.priority].isOne(of: priorities.sorted()) }
    }
    if let isCompleted {
      request = request.filter { $0[TaskKey.isCompleted] == isCompleted }
    }
    if !search.isEmpty {
      request = request.filter {
        $0[TaskKey.text].contains(search, [.caseInsensitive, .diacriticInsensitive])
      }
    }
    return request.order(by: TaskKey.isCompleted).order(by: TaskKey.priority)
      .order(by: TaskKey.text, options: [.caseInsensitive, .diacriticInsensitive])
  }
}
