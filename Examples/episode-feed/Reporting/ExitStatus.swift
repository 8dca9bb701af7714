/// What the process returns, by the conventions of `sysexits.h`. The help of
/// the command lists them.
enum ExitStatus: Int32 {
  /// The command line makes no sense.
  case usage = 64
  /// The feed is no feed, or holds bad items.
  case badData = 65
  /// There is no such file, store or episode, or it cannot be read.
  case noInput = 66
  /// The store cannot be opened, or a file cannot be written.
  case cannotCreate = 73
  /// The disk failed.
  case inputOutput = 74
  /// Another program has locked the store.
  case tryAgain = 75
}
