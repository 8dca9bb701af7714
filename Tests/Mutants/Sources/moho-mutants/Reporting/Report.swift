import Foundation

/// The report of mutants, in Markdown.
struct Report {
  var mutants: [Mutant]
  var equivalents: Equivalents

  private func reason(_ mutant: Mutant) -> String? {
    mutant.outcome?.isFound == true ? nil : equivalents.reasons[mutant.identity]
  }

  private var planted: [Mutant] { mutants.filter(\.isPlanted) }

  /// The table of modules, and the mutants that are left.
  var summary: String {
    var lines = [
      "# Mutants", "", "| module | planted | found | equivalent | left | not run |",
      "|---|---:|---:|---:|---:|---:|",
    ]
    for module in TestTable.modules {
      let own = planted.filter { $0.identity.module == module }
      if !own.isEmpty { lines.append(row(module, own)) }
    }
    lines += [row("all", planted), ""]
    let left = planted.filter { isLeft($0) }
    lines += ["## Left", ""] + (left.isEmpty ? ["None."] : left.map(item)) + [""]
    return lines.joined(separator: "\n")
  }

  var markdown: String {
    var lines = [summary]
    let same = planted.filter { reason($0) != nil }
    lines += ["## Equivalent", ""] + same.map { "\(item($0)) — \(reason($0) ?? "")" } + [""]
    lines += ["## Found", "", "| mutant | change | test | seconds |", "|---|---|---|---:|"]
    for mutant in planted {
      guard let outcome = mutant.outcome, outcome.isFound else { continue }
      let test = outcome.test ?? ""
      let found = outcome.kind == .failed ? test : "\(outcome.kind.rawValue): \(test)"
      lines.append(
        "| \(location(mutant)) | \(mutant.identity.change.replacing("|", with: "\\|")) "
          + "| \(found) | \(outcome.seconds.formatted(.number.precision(.fractionLength(1)))) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Whether no test found a mutant that should be found.
  func isLeft(_ mutant: Mutant) -> Bool {
    guard mutant.isPlanted, let outcome = mutant.outcome else { return false }
    return !outcome.isFound && reason(mutant) == nil
  }

  private func row(_ name: String, _ mutants: [Mutant]) -> String {
    let found = mutants.count { $0.outcome?.isFound == true }
    let same = mutants.count { reason($0) != nil }
    let left = mutants.count { isLeft($0) }
    let numbers = [mutants.count, found, same, left, mutants.count - found - same - left]
    return "| \(name) | \(numbers.map(String.init).joined(separator: " | ")) |"
  }

  private func item(_ mutant: Mutant) -> String {
    let outcome = mutant.outcome?.kind.rawValue ?? "not run"
    let identity = mutant.identity
    let count = identity.occurrence == 0 ? "" : " (\(identity.occurrence + 1))"
    return "- \(mutant.number) \(location(mutant)), `\(identity.function)`: "
      + "\(identity.change)\(count), \(outcome)"
  }

  private func location(_ mutant: Mutant) -> String { "\(mutant.identity.file):\(mutant.line)" }
}
