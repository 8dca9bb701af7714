import Foundation

/// Messages about the progress.
enum Progress {
  /// Prints a line at once, also if the output is a file.
  static func print(_ items: Any...) {
    let line = items.map { "\($0)" }.joined(separator: " ") + "\n"
    FileHandle.standardOutput.write(Data(line.utf8))
  }
}
