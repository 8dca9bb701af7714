import Synchronization

/// How far the check of a declaration is.
enum CheckStatus: UInt8, AtomicRepresentable {
  /// Nothing was used yet.
  case unchecked
  /// Nothing is wrong.
  case sound
  /// Nothing is wrong so far: some keys are compared when models are read.
  case comparing
  /// Something is wrong.
  case unsound
}

/// The check of this thread that is going on.
private enum DeclarationCheck {
  /// A check makes models of other mappings, which are not checked meanwhile: theirs
  /// would make models of this one.
  @TaskLocal static var isRunning = false
}

// The check takes place at the first use, not with the declaration: mappings that
// nest each other would wait for each other.
extension MappingKeys {
  /// Whether nothing is known to be wrong with the declaration, beside what it shows
  /// by itself.
  // One load once the check is over: each nested model asks.
  var isSound: Bool {
    switch checkStatus.load(ordering: .acquiring) {
    case .sound, .comparing: true
    case .unsound: false
    case .unchecked: check()
    }
  }

  /// Whether keys are compared when models are read.
  var comparesOrder: Bool { checkStatus.load(ordering: .acquiring) == .comparing }

  /// What the check found wrong.
  var foundIssues: [DeclarationIssue] { isSound ? [] : found.withLock { $0.issues } }

  /// What the check could not decide.
  var foundNotes: [DeclarationNote] {
    _ = isSound
    return found.withLock { $0.notes }
  }

  private func check() -> Bool {
    guard !DeclarationCheck.isRunning else { return true }
    // Outside the lock, as it calls initializers. Concurrent checks find the same.
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

  /// The keys that are compared when models are read, with what is known of them.
  var comparedOrder: [OrderEvidence] { found.withLock { $0.unchecked } }

  /// Adds what a model says about the order of some keys.
  ///
  /// - Parameters:
  ///   - observations: What the model says, and what exchanged values said.
  ///   - keys: The keys, by their positions.
  ///   - issues: The issues that evidence stands for.
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
