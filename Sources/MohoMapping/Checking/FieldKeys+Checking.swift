import Synchronization

/// The progress of a declaration check.
enum CheckStatus: UInt8, AtomicRepresentable {
  /// The check has not run.
  case unchecked
  /// The declaration has no issues.
  case sound
  /// No issues were found so far. Some keys are compared when models are read.
  case comparing
  /// The declaration has issues.
  case unsound
}

private enum DeclarationCheck {
  /// Whether the current thread runs a check. A check creates models of other
  /// mappings. These are not checked at that time: their checks would create
  /// models of this mapping.
  @TaskLocal static var isRunning = false
}

// The check runs when the mapping is first used, not when it is created:
// mappings that contain each other would wait for each other.
extension FieldKeys {
  /// Whether no issue is known, not counting `Mapping.declaredIssues`.
  // A single atomic load once the check is over: every nested model calls it.
  var isSound: Bool {
    switch checkStatus.load(ordering: .acquiring) {
    case .sound, .comparing: true
    case .unsound: false
    case .unchecked: check()
    }
  }

  /// Whether keys are compared when models are read.
  var comparesOrder: Bool { checkStatus.load(ordering: .acquiring) == .comparing }

  var foundIssues: [DeclarationIssue] { isSound ? [] : found.withLock { $0.issues } }

  var foundNotes: [DeclarationNote] {
    _ = isSound
    return found.withLock { $0.notes }
  }

  private func check() -> Bool {
    guard !DeclarationCheck.isRunning else { return true }
    // The check calls initializers, so it runs outside the lock. Concurrent
    // checks have equal results.
    let findings = DeclarationCheck.$isRunning.withValue(true) {
      var findings = order?() ?? OrderFindings()
      if isOpen { findings.issues += findInliningIssues() }
      return findings
    }
    return found.withLock { found in
      if checkStatus.load(ordering: .relaxed) == .unchecked {
        found = findings
        checkStatus.store(status(findings), ordering: .releasing)
      }
      return found.issues.isEmpty
    }
  }

  private func status(_ findings: OrderFindings) -> CheckStatus {
    if !findings.issues.isEmpty { return .unsound }
    return findings.unchecked.isEmpty ? .sound : .comparing
  }

  /// The evidence about the keys that are compared when models are read.
  var comparedOrder: [OrderEvidence] { found.withLock { $0.unchecked } }

  /// Adds issues that a model shows.
  func add(_ issues: [DeclarationIssue]) {
    guard !issues.isEmpty else { return }
    found.withLock { found in
      found.issues += issues.filter { !found.issues.contains($0) }
      checkStatus.store(status(found), ordering: .releasing)
    }
  }

  /// Adds what a model shows about the order of some keys.
  ///
  /// - Parameters:
  ///   - observations: The observations of the model, and of the model with
  ///     exchanged values.
  ///   - keys: The indexes of the keys.
  ///   - issues: Returns the issues that follow from the evidence.
  func add(
    _ observations: [[OrderEvidence.Observation]], about keys: [Int],
    issues: (OrderEvidence) -> [DeclarationIssue]
  ) {
    found.withLock { found in
      guard let index = found.unchecked.firstIndex(where: { $0.keys == keys }) else { return }
      for observations in observations { found.unchecked[index].add(observations) }
      let evidence = found.unchecked[index]
      let isUndecidable = evidence.observed > OrderEvidence.limit
      found.issues += issues(evidence)
      if evidence.unsettled.isEmpty || isUndecidable || !evidence.misplaced.isEmpty {
        found.unchecked.remove(at: index)
      }
      checkStatus.store(status(found), ordering: .releasing)
    }
  }
}
