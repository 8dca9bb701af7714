import Foundation

/// A suite on an engine, with the mutants whose code it executes.
struct TestSuite: Codable {
  var target: String
  /// The name of the outermost type.
  var name: String
  var engine: TestTable.Engine
  /// Changes with the files of the suite.
  var source: String
  var measured: Measured?

  /// The results of a run without mutants.
  struct Measured: Codable {
    /// The greatest number of a mutant when the suite was run.
    var lastMutant: Int
    var reached: [Int]
    /// The time without ``slowTests``.
    var seconds: Double
    /// Tests that take too long to be run for each mutant.
    var slowTests: [String]
  }

  /// A regular expression for the names of the tests.
  var filter: String { "^\(target)\\.\(name)/" }

  func isSame(as other: TestSuite) -> Bool {
    target == other.target && name == other.name && engine == other.engine
      && source == other.source
  }
}

extension TestSuite {
  /// The suites of a test program.
  ///
  /// - Parameter root: The folder of the package.
  static func all(of program: URL, root: URL) throws -> [TestSuite] {
    let list = try Command.run(
      program.path, ["--testing-library", "swift-testing", "--list-tests"])
    guard list.status == 0 else { throw Failure("the tests cannot be listed: \(list.output)") }
    var names: Set<String> = []
    for line in list.output.split(separator: "\n") {
      guard let match = line.firstMatch(of: /^(\w+\.[^\/(]+)\//) else { continue }
      names.insert(String(match.1))
    }
    var sources: [String: [String: String]] = [:]
    return try names.sorted().flatMap { name in
      let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
      let target = parts[0]
      let types = try sources[target] ?? sourcesByType(of: target, root: root)
      sources[target] = types
      let source = types[parts[1]] ?? ""
      return TestTable.engines(of: target, source: source).map {
        TestSuite(
          target: target, name: parts[1], engine: $0, source: String(source.stableHash, radix: 16),
          measured: nil)
      }
    }
  }

  /// The texts of the files that declare or extend each type of a target.
  private static func sourcesByType(of target: String, root: URL) throws -> [String: String] {
    let folder = root.appending(path: "Tests/\(target)")
    let found = FileManager.default.enumerator(atPath: folder.path)
    let keywords: Set<Substring> = ["struct", "class", "enum", "actor", "extension"]
    var sources: [String: String] = [:]
    for case let path as String in found ?? .init() where path.hasSuffix("Tests.swift") {
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      let types = zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1)
      for type in Set(types) { sources[String(type), default: ""] += text }
    }
    return sources
  }
}
