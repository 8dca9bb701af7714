import Foundation

/// A copy of the repository whose library has mutants.
struct Checkout {
  /// The repository.
  let root: URL
  /// The folder of the copy and of everything else that this program writes.
  let folder: URL

  var copy: URL { folder.appending(path: "checkout") }
  var scratch: URL { folder.appending(path: "build") }
  var log: URL { folder.appending(path: "build.log") }

  /// The files that Git does not ignore, or all sources if the folder is not a repository.
  func paths() throws -> [String] {
    let result = try Command.run(
      "/usr/bin/env",
      ["git", "-C", root.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
    let paths =
      result.status == 0
      ? result.output.split(separator: "\0").map(String.init)
      : try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
        !$0.hasPrefix(".build") && !$0.hasPrefix(".git/")
      }
    return paths.filter { path in
      var isFolder: ObjCBool = false
      let file = root.appending(path: path).path
      return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }

  /// Copies all files, with switches in those that have mutants. Equal files stay untouched, so
  /// that SwiftPM compiles only what has changed.
  ///
  /// - Parameter targets: The test targets that the copy builds.
  func write(_ plan: MutantPlan, paths: [String], targets: [String]) throws {
    let planted = plan.mutants.filter { $0.isPlanted && plan.mutations[$0.number] != nil }
    let mutants = Dictionary(grouping: planted, by: \.identity.file)
    for path in paths where !path.hasPrefix("Tests/Mutants/") {
      var data = try Data(contentsOf: root.appending(path: path))
      if let chosen = mutants[path], let file = plan.files[path] {
        data = Data(
          file.planted(
            chosen.compactMap { mutant in
              plan.mutations[mutant.number].map { ($0, mutant.number) }
            }
          ).utf8)
      }
      if path == "Package.swift" { data += Data(Self.manifestSuffix(targets).utf8) }
      try update(path, data)
    }
    for module in TestTable.modules {
      try update("Sources/\(module)/MohoMutant.swift", Data(Self.switches.utf8))
    }
    try removeFiles(except: paths)
  }

  private func update(_ path: String, _ data: Data) throws {
    let url = copy.appending(path: path)
    if let stored = try? Data(contentsOf: url), stored == data { return }
    let manager = FileManager.default
    try manager.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    if manager.isExecutableFile(atPath: root.appending(path: path).path) {
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }
  }

  /// Removes sources that the repository no longer has.
  private func removeFiles(except paths: [String]) throws {
    let known = Set(paths)
    for folder in ["Sources", "Tests", "Examples"] {
      let found = FileManager.default.enumerator(atPath: copy.appending(path: folder).path)
      for case let path as String in found ?? .init() where path.hasSuffix(".swift") {
        let path = "\(folder)/\(path)"
        guard !known.contains(path), !path.hasSuffix("/MohoMutant.swift") else { continue }
        try FileManager.default.removeItem(at: copy.appending(path: path))
      }
    }
  }

  /// Builds the tests of the copy, and returns the errors of the compiler.
  func build() throws -> Set<CompilerError> {
    let result = try Command.run(
      "/usr/bin/env",
      [
        "swift", "build", "--package-path", copy.path, "--scratch-path", scratch.path,
        "--build-tests", "-debug-info-format", "none",
      ])
    try Data(result.output.utf8).write(to: log)
    if result.status == 0 { return [] }
    let errors = CompilerError.errors(in: result.output, root: copy)
    guard !errors.isEmpty else { throw Failure("the build failed; see \(log.path)") }
    return errors
  }

  /// The program that runs the tests.
  func testProgram() throws -> URL {
    let build = scratch.appending(path: "debug")
    let names = try FileManager.default.contentsOfDirectory(atPath: build.path)
    guard let name = names.first(where: { $0.hasSuffix("PackageTests.xctest") }) else {
      throw Failure("no test program in \(build.path)")
    }
    let program = build.appending(path: name)
    let bundled = program.appending(path: "Contents/MacOS/\(name.dropLast(".xctest".count))")
    return FileManager.default.fileExists(atPath: bundled.path) ? bundled : program
  }
}
