/// Finds keys of the same type that are declared in a different order than the
/// initializer takes them. The compiler cannot find these.
///
/// Only evidence counts. The initializer is called with samples, and each key
/// path must read back the sample of its key. Keys are swapped if each of them
/// reads back the sample of another one, and still does after the samples are
/// exchanged. An initializer that sorts its arguments is therefore sound. Keys
/// that samples do not distinguish are compared in the models that are read
/// first.
struct ArgumentOrder<Model>: Sendable {
  let fields: [MappedField<Model>]
  let keys: [FieldKey]
  /// Calls the initializer with a value for each key, or returns nil if one is
  /// missing.
  let make: @Sendable ((Int) -> (any AnyValueBox)?) -> Model?

  /// Compares all keys by samples.
  func findings() -> OrderFindings {
    let groups = sameTyped
    guard !groups.isEmpty else { return OrderFindings() }
    let grouped = Set(groups.joined())
    let single = fields.indices.filter { !grouped.contains($0) }
    let samples = SampleAssignments(
      groups: groups + single.map { [$0] }, fields: fields, context: SampleContext(models: .any))
    let missing = samples.missing
    var evidence = groups.map { OrderEvidence($0) }
    guard missing.isEmpty else {
      let names = missing.sorted().map(name).joined(separator: ", ")
      return unchecked(evidence, "there are no samples of \(names)")
    }

    add(samples, to: &evidence)
    if evidence.contains(where: { !$0.misplaced.isEmpty }) {
      add(samples.exchanged(by: evidence), to: &evidence)
    }
    let issues = evidence.flatMap(issues)
    guard issues.isEmpty else { return OrderFindings(issues: issues) }
    let judged = lost.findings(samples).map { lost.judge($0, name: name) }
    var findings = unchecked(
      evidence.filter { !$0.unsettled.isEmpty }, "the samples do not distinguish them")
    findings.issues += judged.compactMap(\.0)
    findings.notes += judged.compactMap(\.1)
    return findings
  }

  /// Finds keys whose values are not written.
  private var lost: LostArguments<Model> {
    LostArguments(fields: fields, keys: keys, make: make)
  }

  /// Returns the issues of keys that share a property, by the values of a model
  /// that is read.
  func issues(
    ofSharedProperties keys: [Int], given: (Int) -> (any AnyValueBox)?
  ) -> [DeclarationIssue] {
    guard lost.haveSharedProperty(keys) else { return [] }
    var values: LostArguments<Model>.Values = [:]
    for index in fields.indices { values[index] = given(index) }
    return lost.findings(keys, given: values).compactMap { lost.judge($0, name: name).0 }
  }

  /// The indexes of the keys of each type that several keys have.
  private var sameTyped: [[Int]] {
    Dictionary(grouping: fields.indices) { ObjectIdentifier(fields[$0].samples.type) }
      .values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
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

  /// Compares what keys read from a model with the values that it was made of.
  func observations(
    _ keys: [Int], of model: Model, given: (Int) -> (any AnyValueBox)?
  ) -> [OrderEvidence.Observation] {
    let given = compared(keys, given)
    guard given.count == keys.count else { return [] }
    let readBack = withUnsafePointer(to: model) { model in
      compared(keys) { fields[$0].value(model) }
    }
    return OrderEvidence.observations(given: given, readBack: readBack)
  }

  private func compared(
    _ keys: [Int], _ value: (Int) -> (any AnyValueBox)?
  ) -> [ComparedValue] {
    let written = keys.filter { !self.keys[$0].isTransient }
    return keys.compactMap { key in value(key).map { ComparedValue($0, of: written, fields) } }
  }

  /// Returns the issues of misplaced keys, in declaration order.
  func issues(_ evidence: OrderEvidence) -> [DeclarationIssue] {
    // A key that reads the value of another key is declared at its position.
    evidence.misplaced.sorted { $0.value < $1.value }.map { key, other in
      DeclarationIssue(
        "\(name(evidence.keys[other])) is declared where the initializer takes"
          + " \(name(evidence.keys[key])): declare keys in the order of its arguments")
    }
  }

  private func unchecked(_ evidence: [OrderEvidence], _ reason: String) -> OrderFindings {
    var findings = OrderFindings()
    for var evidence in evidence {
      let names = evidence.unsettled.map(name).joined(separator: ", ")
      findings.notes.append(
        DeclarationNote("the order of \(names) is checked when models are read: \(reason)"))
      separateDefaults(&evidence)
      if !evidence.unsettled.isEmpty { findings.unchecked.append(evidence) }
    }
    return findings
  }

  /// Settles transient properties with equal defaults: every model that is read
  /// has these values, so models do not distinguish them either.
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
    return propertyText(keyPath)
  }
}

/// A value in a form that can be compared with other values of its type: what
/// is written of it, or the value itself if it cannot be written.
struct ComparedValue {
  private let value: Any?
  private let written: Written?

  private struct Written: Equatable {
    /// The key that writes the value, or nil if its type does.
    let key: Int?
    let content: FieldContent
  }

  /// - Parameters:
  ///   - keys: The keys that hold values of the type. The first one whose
  ///     transform can write the value is used.
  init<Model>(_ box: any AnyValueBox, of keys: [Int], _ fields: [MappedField<Model>]) {
    value = box.unwrapped
    written = value.flatMap { Self.written($0, keys, fields) }
  }

  private static func written<Model>(
    _ value: Any, _ keys: [Int], _ fields: [MappedField<Model>]
  ) -> Written? {
    if let value = value as? any FieldValue, let content = try? FieldRecorder.content(of: value) {
      return Written(key: nil, content: content)
    }
    for key in keys {
      let recorder = FieldRecorder()
      guard let box = fields[key].box(value),
        (try? fields[key].writeValue(box, recorder, 0)) != nil,
        let content = recorder.contents.first, content != .null
      else { continue }
      return Written(key: key, content: content)
    }
    return nil
  }

  /// Whether two values are equal, or nil if they cannot be compared.
  func isEqual(to other: ComparedValue) -> Bool? {
    guard let value, let otherValue = other.value else {
      return value == nil && other.value == nil
    }
    if let written, let otherWritten = other.written { return written == otherWritten }
    func compare<Equated: Equatable>(_ value: Equated) -> Bool? {
      (otherValue as? Equated).map { value == $0 }
    }
    return (value as? any Equatable).flatMap { compare($0) }
  }
}
