import Moho

/// A query for tasks that meet all of its conditions.
public struct TaskQuery: Sendable {
  /// The priorities; empty for all.
  public var priorities: Set<Int> = []
  /// Whether the tasks are done or open; nil for both.
  public var isCompleted: Bool?
  /// Text in the task, ignoring case and accents; empty for all tasks.
  public var search = ""

  /// Creates a query for all tasks.
  public init() {}

  /// The request of the query: open tasks first, then ordered by priority and
  /// text.
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
