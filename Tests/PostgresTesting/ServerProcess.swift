import Foundation
import Synchronization

/// The processes of a server.
final class ServerProcess: Sendable {
  private let ended = DispatchSemaphore(value: 0)
  /// The server ends when this pipe is closed.
  private let pipe: Pipe

  init(folder: String, port: Int, _ settings: [String]) throws {
    let process = Process()
    let pipe = Pipe()
    // Children that this process starts in the meantime must not keep the pipe
    // open.
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    let server =
      try Self.prefix + [
        try Self.program("postgres"), "-D", "\(folder)/data", "-k", folder, "-p", "\(port)",
        "-c", "listen_addresses=", "-c", "shared_buffers=64MB",
      ] + settings.flatMap { ["-c", $0] }
    // The signal to end the server arrives as a line. Without a line, the test
    // process has ended. SIGCHLD may be blocked, so only Bash can wait.
    let script = """
      folder=$1; shift
      "$@" >>"$folder/log" 2>&1 </dev/null &
      read -r signal || signal=END
      case $signal in
      KILL)
        workers=$(ps -o pid= --ppid $!)
        kill -KILL $! $workers
        for worker in $workers; do while kill -0 $worker 2>/dev/null; do sleep 0.01; done; done ;;
      INT) kill -INT $! ;;
      *) kill -QUIT $! ;;
      esac
      wait $!
      if [[ $signal == END ]]; then rm -rf "$folder"; fi
      """
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script, "bash", folder] + server
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
    self.pipe = pipe
  }

  var isRunning: Bool {
    if ended.wait(timeout: .now()) == .timedOut { return true }
    ended.signal()
    return false
  }

  /// Ends the server with a signal, and waits for it.
  func end(_ signal: Signal) {
    send(signal)
    ended.wait()
    ended.signal()
  }

  /// Ends the server with a signal. With ``Signal/end``, its folder is removed.
  func send(_ signal: Signal) {
    try? pipe.fileHandleForWriting.write(contentsOf: Data("\(signal.rawValue)\n".utf8))
  }

  enum Signal: String {
    case kill = "KILL"
    case interrupt = "INT"
    case end = "END"
  }
}

extension ServerProcess {
  /// Runs a program of PostgreSQL and waits for it.
  static func run(_ name: String, _ arguments: [String]) throws {
    let process = Process()
    let errors = Pipe()
    let words = try prefix + [try program(name)] + arguments
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: "/tmp")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw PostgresServer.Failure(
        description: "\(name) failed: \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// Creates the folder of a cluster. Its path is short, because the paths of
  /// sockets are limited to 107 bytes.
  ///
  /// - Parameter inMemory: Whether the folder may be in the memory of the machine.
  ///   Creating the many files of test schemas is much faster there.
  static func makeFolder(inMemory: Bool = false) throws -> String {
    let memory = "/dev/shm"
    let space = try? FileManager.default.attributesOfFileSystem(forPath: memory)[.systemFreeSize]
    let hasSpace = ((space as? NSNumber)?.int64Value ?? 0) > 4 << 30
    let parent = inMemory && hasSpace ? memory : "/tmp"
    let path = "\(parent)/moho-pg-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    if getuid() == 0 {
      guard let user = getpwnam("postgres"),
        chown(path, user.pointee.pw_uid, user.pointee.pw_gid) == 0
      else { throw PostgresServer.Failure(description: "the user `postgres` does not exist") }
    }
    return path
  }

  /// The command that runs a program as a user who may run a server.
  private static var prefix: [String] {
    get throws {
      guard getuid() == 0 else { return [] }
      return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        .enumerated().map { $0.offset == 0 ? "/usr/bin/setpriv" : $0.element }
    }
  }

  /// The path of a program of the newest installed version.
  static func program(_ name: String) throws -> String {
    let roots = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"]
    let folders = roots.flatMap { root in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      return names.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
        .map { "\(root)/\($0)/bin" }
    }
    for folder in folders + ["/usr/local/pgsql/bin", "/usr/bin", "/usr/local/bin"] {
      let path = "\(folder)/\(name)"
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw PostgresServer.Failure(
      description: "\(name) is not installed; install `postgresql`, or set MOHO_ENGINE=sqlite")
  }

  /// Options for a default collation other than the order of bytes, on which no
  /// store may depend.
  static var localeOptions: [String] {
    let path = (try? program("initdb")) ?? ""
    let version = path.split(separator: "/").compactMap { Int($0) }.first ?? 14
    return version >= 15
      ? ["--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"] : ["--locale=C.UTF-8"]
  }
}
