/// Writes the objects and arrays of a plan around values. Each is opened by the first
/// value in it.
struct LayoutWriter: ~Copyable {
  var text = TextBuffer()

  private let isPretty: Bool
  /// The nesting depth of the root in the document.
  let depth: Int
  /// The container of the last value; -1 outside all containers.
  private var current = -1
  /// The number of parts of each open container.
  private var counts: [Int]

  /// - Parameter depth: The nesting depth of the root in the document.
  init(plan: borrowing OutputPlan, isPretty: Bool, depth: Int) {
    self.isPretty = isPretty
    self.depth = depth
    counts = Array(repeating: 0, count: plan.containers.count)
  }

  /// Reserves counts for the containers of another plan.
  mutating func prepare(_ plan: borrowing OutputPlan) {
    let missing = plan.containers.count - counts.count
    if missing > 0 { counts += Array(repeating: 0, count: missing) }
  }

  /// Begins a root.
  mutating func begin(_ plan: borrowing OutputPlan) {
    for container in plan.required { open(container, plan) }
  }

  /// Closes the open containers.
  mutating func end(_ plan: borrowing OutputPlan) {
    while current >= 0 { close(plan) }
  }

  /// Writes what precedes the value of a key.
  ///
  /// - Returns: False if the key is not part of documents.
  @inline(__always)
  mutating func label(_ key: Int, _ plan: borrowing OutputPlan) -> Bool {
    let slot = plan.slots[key]
    if slot.container != current || isPretty || slot.label.isEmpty {
      guard slot.container >= 0 else { return false }
      enter(slot.container, plan)
      separate(slot, plan)
      return true
    }
    let isFirst = counts[current] == 0
    counts[current] += 1
    text.append(plan.text, isFirst ? slot.label.dropFirst() : slot.label)
    return true
  }

  /// Writes members of the root, or of the object in the envelope.
  ///
  /// - Parameters:
  ///   - values: Contains the text of the members without brackets.
  ///   - range: The range of the text.
  mutating func append(
    _ values: borrowing TextBuffer, _ range: Range<Int>, memberCount: Int,
    _ plan: borrowing OutputPlan
  ) {
    guard let object = plan.required.last else { return }
    enter(object, plan)
    if counts[object] > 0 { text.append(",") }
    text.append(values, range)
    counts[object] += memberCount
  }

  private mutating func enter(_ container: Int, _ plan: borrowing OutputPlan) {
    while current >= 0, !plan.isContainer(container, insideOrAt: current) { close(plan) }
    if current != container {
      enter(plan.containers[container].slot.container, plan)
      open(container, plan)
    }
  }

  private mutating func open(_ container: Int, _ plan: borrowing OutputPlan) {
    let slot = plan.containers[container].slot
    if slot.container >= 0 { separate(slot, plan) }
    text.append(plan.containers[container].isArray ? "[" : "{")
    counts[container] = 0
    current = container
  }

  private mutating func close(_ plan: borrowing OutputPlan) {
    let container = plan.containers[current]
    if counts[current] > 0 { breakLine(container.depth) }
    text.append(container.isArray ? "]" : "}")
    current = container.slot.container
  }

  /// Writes what precedes a value in the current container: a comma and a key, or the
  /// null elements that are skipped.
  private mutating func separate(_ slot: OutputPlan.Slot, _ plan: borrowing OutputPlan) {
    if plan.containers[current].isArray {
      for element in counts[current]...max(counts[current], slot.element) {
        if element > 0 { text.append(",") }
        breakLine(plan.containers[current].depth + 1)
        if element < slot.element { text.append(literal: "null") }
      }
      counts[current] = slot.element + 1
    } else {
      if counts[current] > 0 { text.append(",") }
      breakLine(plan.containers[current].depth + 1)
      text.append(plan.text, slot.label.dropFirst())
      if isPretty { text.append(" ") }
      counts[current] += 1
    }
  }

  /// The nesting depth of the value of a key, or of a part, in the document.
  func depth(of key: Int, _ plan: borrowing OutputPlan) -> Int {
    guard plan.slots.indices.contains(key) else { return depth + 1 }
    return depth + plan.containers[plan.slots[key].container].depth + 1
  }

  /// Begins a line at a depth inside the root, if the text is pretty.
  mutating func breakLine(_ depth: Int) {
    guard isPretty else { return }
    text.append("\n")
    for _ in 0..<(self.depth + depth) { text.append(literal: "  ") }
  }
}

extension OutputPlan {
  fileprivate func isContainer(_ container: Int, insideOrAt other: Int) -> Bool {
    var container = container
    // A container follows those around it.
    while container > other { container = containers[container].slot.container }
    return container == other
  }
}
