import Foundation

/// The file with the results, which are stored as they come.
struct Results: Codable {
  var mutants: [Mutant] = []
  var suites: [TestSuite] = []

  static func read(_ file: URL) throws -> Results {
    guard FileManager.default.fileExists(atPath: file.path) else { return Results() }
    return try JSONDecoder().decode(Results.self, from: Data(contentsOf: file))
  }

  func write(_ file: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: file, options: .atomic)
  }
}
