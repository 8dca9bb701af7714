import CommandSupport
import Foundation
import Moho
import TaskList
import TextTables

/// Formats tasks as lines of text.
enum TaskText {
  static func lines(_ tasks: [TaskItem]) -> [String] {
    let rows = tasks.map { task in
      [
        task.isUnsaved ? "*" : "", "\(task.number)", task.isCompleted ? "[x]" : "[ ]",
        "\(task.priority)",
        task.due?.formatted(.iso8601.year().month().day()) ?? "",
        task.text,
      ]
    }
    return TextTable(rows: rows, rightAligned: [1], width: Terminal.size?.width).lines
  }
}
