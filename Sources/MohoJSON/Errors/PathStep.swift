import MohoMapping

/// A step of the paths that are looked for.
final class PathStep {
  /// Where the value begins.
  var offset: Int?
  private var steps: [FieldPath.Component: PathStep] = [:]

  private func next(_ component: FieldPath.Component) -> PathStep {
    if let step = steps[component] { return step }
    let step = PathStep()
    steps[component] = step
    return step
  }

  /// Looks for a path that begins at this step.
  func insert(_ path: FieldPath) {
    var step = self
    for component in path.components { step = step.next(component) }
  }

  /// The only step behind so many.
  func descendant(dropping count: Int) -> PathStep {
    count == 0 ? self : steps.values.first?.descendant(dropping: count - 1) ?? self
  }

  /// Where the value at a path was found.
  func offset(at path: ArraySlice<FieldPath.Component>) -> Int? {
    guard let component = path.first else { return offset }
    return steps[component]?.offset(at: path.dropFirst())
  }

  /// Finds the places of the steps inside the value at a position, and passes
  /// the value.
  func find(with skipper: inout ValueSkipper) {
    skipper.skipSpace()
    offset = skipper.position
    guard !steps.isEmpty else { return skipper.skipValue() }
    switch skipper.byte {
    case UInt8(ascii: "["):
      skipper.forEachElement { index, skipper in
        visit(.index(index), with: &skipper)
      }
    case UInt8(ascii: "{"):
      skipper.forEachMember { key, skipper in
        visit(.key(key), with: &skipper)
      }
    default:
      skipper.skipValue()
    }
  }

  private func visit(_ component: FieldPath.Component, with skipper: inout ValueSkipper) {
    if let step = steps[component] {
      step.find(with: &skipper)
    } else {
      skipper.skipValue()
    }
  }

  /// Gives what was not found the place of what should hold it.
  func settle(_ offset: Int, visit: (Int) -> Void) {
    let own = self.offset ?? offset
    self.offset = own
    visit(own)
    for step in steps.values { step.settle(own, visit: visit) }
  }
}
