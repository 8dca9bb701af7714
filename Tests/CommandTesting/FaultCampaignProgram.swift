import Foundation

/// The program that performs operations of stores with faults.
public enum FaultCampaignProgram {
  /// Runs the program.
  public static func run(_ arguments: [String]) async throws -> Tool.Result {
    try await Tool("FaultCampaign").run(arguments, in: TemporaryFolder())
  }
}

extension Tool.Result {
  /// The problems of a fault campaign, with the arguments of the program that repeat them, or the
  /// last case if the program has ended before its summary.
  public var campaignProblems: [String] {
    let lines = output.split(separator: "\n").map(String.init)
    let problems = lines.filter { $0.hasPrefix("problem: ") }
    if !problems.isEmpty { return problems }
    if lines.last?.hasPrefix("summary: ") == true { return [] }
    return ["status \(status) after \(lines.last ?? "the start"): \(errors)"]
  }
}
