/// Finds keys of one type that are declared in another order than the
/// initializer takes them, which the compiler cannot see.
///
/// Evidence alone decides. The initializer is called with sample values, and each
/// key path must read back the sample that was given for its key. Keys are swapped
/// if each of them reads back what was given for another one of them, and still
/// does when these values are exchanged: an initializer that sorts its arguments
/// is sound. Keys that samples cannot tell apart are compared when models are read.
struct ArgumentOrder<Model>: Sendable {
  let fields: [MappedField<Model>]
  let keys: [MappingKey]
  /// Calls the initializer with a value for each key; nil where one is missing.
  let make: @Sendable ((Int) -> (any AnyValueBox)?) -> Model?

  /// Compares all keys by samples.
  func findings() -> OrderFindings {
    let groups = sameTyped
    guard !groups.isEmpty else { return OrderFindings() }
    let pool = SamplePool(fields: fields, context: SampleContext(models: .any))
    let grouped = Set(groups.flatMap { $0 })
    let single = fields.indices.filter { !grouped.contains($0) }
    let samples = SampleAssignments(groups: groups + single.map { [$0] }, pool: pool)
    let missing = samples.missing
    guard missing.isEmpty else {
      let reason = "there are no samples of \(missing.sorted().map(name).joined(separator: ", "))"
      return unchecked(groups.map { OrderEvidence($0) }, reason)
    }

    var evidence = groups.map { OrderEvidence($0) }
    add(samples, to: &evidence)
    if evidence.contains(where: { !$0.misplaced.isEmpty }) {
      add(samples.exchanged(by: evidence), to: &evidence)
    }
    return findings(evidence)
  }

  /// The positions of the keys of each type that several keys have.
  private var sameTyped: [[Int]] {
    var groups: [ObjectIdentifier: [Int]] = [:]
    for (index, field) in fields.enumerated() {
      groups[ObjectIdentifier(field.samples.type), default: []].append(index)
    }
    return groups.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  private func add(_ samples: SampleAssignments<Model>, to evidence: inout [OrderEvidence]) {
    for round in 0..<samples.rounds {
      let values = samples.values(round)
      guard let model = make({ values[$0] }) else { return }
      for index in evidence.indices {
        evidence[index].add(observations(evidence[index].keys, of: model) { values[$0] })
      }
    }
  }

  /// What a model says about some keys.
  func observations(
    _ keys: [Int], of model: Model, given: (Int) -> (any AnyValueBox)?
  ) -> [OrderEvidence.Observation] {
    let given = compared(keys, given)
    guard given.count == keys.count else { return [] }
    let readBack = withUnsafePointer(to: model) { model in
      keys.map { ComparedValue(fields[$0].value(model), of: writing(keys), fields) }
    }
    return OrderEvidence.observations(given: given, readBack: readBack)
  }

  func compared(_ keys: [Int], _ given: (Int) -> (any AnyValueBox)?) -> [ComparedValue] {
    keys.compactMap { key in
      given(key).map { ComparedValue($0, of: writing(keys), fields) }
    }
  }

  private func writing(_ keys: [Int]) -> [Int] { keys.filter { !self.keys[$0].isTransient } }

  private func findings(_ evidence: [OrderEvidence]) -> OrderFindings {
    let issues = evidence.flatMap(issues)
    guard issues.isEmpty else { return OrderFindings(issues: issues) }
    return unchecked(
      evidence.filter { !$0.unsettled.isEmpty }, "the samples do not tell them apart")
  }

  /// The issues of the keys that are misplaced, in declaration order.
  func issues(_ evidence: OrderEvidence) -> [DeclarationIssue] {
    // A key that reads what another one was given is where that one is declared.
    evidence.misplaced.sorted { $0.value < $1.value }.map { key, other in
      DeclarationIssue(
        "\(name(evidence.keys[other])) is declared where the initializer takes"
          + " \(name(evidence.keys[key])): declare keys in the order of its arguments")
    }
  }

  private func unchecked(_ evidence: [OrderEvidence], _ reason: String) -> OrderFindings {
    var findings = OrderFindings()
    for var evidence in evidence {
      let keys = evidence.unsettled
      findings.notes.append(
        DeclarationNote(
          "the order of \(keys.map(name).joined(separator: ", ")) is checked when models are"
            + " read: \(reason)"))
      separateDefaults(&evidence)
      if !evidence.unsettled.isEmpty { findings.unchecked.append(evidence) }
    }
    return findings
  }

  /// Settles the transient properties whose defaults do not tell them apart: each
  /// model that is read has these.
  private func separateDefaults(_ evidence: inout OrderEvidence) {
    let transient = evidence.keys.filter { keys[$0].isTransient }
    let defaults = compared(transient) { fields[$0].defaultValue }
    for (position, key) in transient.enumerated() {
      for earlier in 0..<position where defaults[earlier].isEqual(to: defaults[position]) != false {
        evidence.separate(key, transient[earlier])
      }
    }
  }

  private func name(_ index: Int) -> String {
    guard keys[index].isTransient, let keyPath = fields[index].keyPath else {
      return "`\(keys[index].name)`"
    }
    return "`\(keyPath)`"
  }
}
