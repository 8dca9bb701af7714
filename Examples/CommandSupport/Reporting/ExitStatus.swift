/// The exit status of a process, by the conventions of `sysexits.h`.
public enum ExitStatus: Int32, Sendable {
  /// The command-line arguments are invalid.
  case usage = 64
  /// The input, or the data to write, is invalid.
  case badData = 65
  /// The file, store or item does not exist or cannot be read.
  case noInput = 66
  /// The store cannot be opened, or a file cannot be written.
  case cannotCreate = 73
  /// The disk failed.
  case inputOutput = 74
  /// Another program has locked the store or changed the same data.
  case tryAgain = 75
}
