/// What a process returns, by the conventions of `sysexits.h`.
public enum ExitStatus: Int32, Sendable {
  /// The command line makes no sense.
  case usage = 64
  /// What was read, or what is to be written, is not what it must be.
  case badData = 65
  /// There is no such file, store or item, or it cannot be read.
  case noInput = 66
  /// The store cannot be opened, or a file cannot be written.
  case cannotCreate = 73
  /// The disk failed.
  case inputOutput = 74
  /// Another program has locked the store, or has changed what is to be saved.
  case tryAgain = 75
}
