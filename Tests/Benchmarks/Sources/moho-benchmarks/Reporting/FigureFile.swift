import ArgumentParser
import Foundation

/// The contents of `BENCHMARKS.json`.
struct FigureFile: Codable {
  private(set) var workloads: [WorkloadFigures] = []

  /// Reads a file.
  static func read(_ path: String) throws -> FigureFile {
    try JSONDecoder().decode(FigureFile.self, from: Data(contentsOf: URL(filePath: path)))
  }

  /// Replaces workloads that are measured again, and adds the others. A workload
  /// is replaced as a whole, because its figures are comparable only within a
  /// run.
  mutating func merge(_ others: [WorkloadFigures]) {
    for other in others {
      if let index = workloads.firstIndex(where: { $0.key == other.key }) {
        workloads[index] = other
      } else {
        workloads.append(other)
      }
    }
    // The order of workloads with the same number remains.
    let numbers = workloads.map { Int($0.number.dropFirst()) ?? 0 }
    workloads = workloads.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }
      .map { workloads[$0] }
  }

  /// Writes a line for each workload.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let lines = try workloads.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    let text = "{\"workloads\": [\n" + lines.joined(separator: ",\n") + "\n]}\n"
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}

/// The output file of a command.
struct FigureOptions: ParsableArguments {
  @Option(
    help: "Merge all figures into this JSON file. Figures of the same workloads are replaced.")
  var json: String?

  /// Merges the workloads into the file, if one was requested.
  func write(_ workloads: [WorkloadFigures]) throws {
    guard let json else { return }
    var file = FigureFile()
    if FileManager.default.fileExists(atPath: json) { file = try .read(json) }
    file.merge(workloads)
    try file.write(to: json)
  }
}
