/// Opens and closes the objects and arrays of a plan around the values that are
/// written, each when the first value asks for it.
struct LayoutWriter: ~Copyable {
  var text = TextBuffer()

  private let isPretty: Bool
  /// How deep in the document the root lies.
  let depth: Int
  /// The container that the last value went to; -1 outside all.
  private var current = -1
  /// How many members or elements each open container has.
  private var counts: [Int]

  /// - Parameter depth: How deep in the document the root lies.
  init(plan: borrowing OutputPlan, isPretty: Bool, depth: Int) {
    self.isPretty = isPretty
    self.depth = depth
    counts = Array(repeating: 0, count: plan.containers.count)
  }

  /// Makes room for the containers of a plan that is not the writer's own.
  mutating func prepare(_ plan: borrowing OutputPlan) {
    let missing = plan.containers.count - counts.count
    if missing > 0 { counts += Array(repeating: 0, count: missing) }
  }

  /// Begins a root.
  mutating func begin(_ plan: borrowing OutputPlan) {
    for container in plan.required { open(container, plan) }
  }

  /// Closes what is open.
  mutating func end(_ plan: borrowing OutputPlan) {
    while current >= 0 { close(plan) }
  }

  /// Writes what stands before the value of a key.
  ///
  /// - Returns: False where documents do not hold the key.
  @inline(__always)
  mutating func label(_ key: Int, _ plan: borrowing OutputPlan) -> Bool {
    let place = plan.places[key]
    if place.container != current || isPretty || place.label.isEmpty {
      guard place.container >= 0 else { return false }
      enter(place.container, plan)
      separate(place, plan)
      return true
    }
    let isFirst = counts[current] == 0
    counts[current] += 1
    text.append(plan.text, isFirst ? place.label.dropFirst() : place.label)
    return true
  }

  private mutating func enter(_ container: Int, _ plan: borrowing OutputPlan) {
    while current >= 0, !plan.isContainer(container, insideOrAt: current) { close(plan) }
    if current != container {
      enter(plan.containers[container].place.container, plan)
      open(container, plan)
    }
  }

  private mutating func open(_ container: Int, _ plan: borrowing OutputPlan) {
    let place = plan.containers[container].place
    if place.container >= 0 { separate(place, plan) }
    text.append(plan.containers[container].isArray ? "[" : "{")
    counts[container] = 0
    current = container
  }

  private mutating func close(_ plan: borrowing OutputPlan) {
    let container = plan.containers[current]
    if counts[current] > 0 { breakLine(container.depth) }
    text.append(container.isArray ? "]" : "}")
    current = container.place.container
  }

  /// Writes what stands in the current container before a value: comma and key,
  /// or null for the elements that are skipped.
  private mutating func separate(_ place: OutputPlan.Place, _ plan: borrowing OutputPlan) {
    if plan.containers[current].isArray {
      for element in counts[current]...max(counts[current], place.element) {
        if element > 0 { text.append(",") }
        breakLine(plan.containers[current].depth + 1)
        if element < place.element { text.append(literal: "null") }
      }
      counts[current] = place.element + 1
    } else {
      if counts[current] > 0 { text.append(",") }
      breakLine(plan.containers[current].depth + 1)
      text.append(plan.text, place.label.dropFirst())
      if isPretty { text.append(" ") }
      counts[current] += 1
    }
  }

  /// How deep in the document the value of a key, or a part, lies.
  func depth(of key: Int, _ plan: borrowing OutputPlan) -> Int {
    guard plan.places.indices.contains(key) else { return depth + 1 }
    return depth + plan.containers[plan.places[key].container].depth + 1
  }

  /// Begins a line at a depth inside the root, if the text has lines.
  mutating func breakLine(_ depth: Int) {
    guard isPretty else { return }
    text.append("\n")
    for _ in 0..<(self.depth + depth) { text.append(literal: "  ") }
  }
}

extension OutputPlan {
  fileprivate func isContainer(_ container: Int, insideOrAt other: Int) -> Bool {
    var container = container
    // A container comes behind those that hold it.
    while container > other { container = containers[container].place.container }
    return container == other
  }
}
