public import MohoMapping

/// What an adapter does about members that no key is mapped to.
///
/// Unknown are the members of an object that its model has no key for, those of
/// the objects on the ways to keys, and the elements of arrays on these ways,
/// but for null before another element, which keeps a place. Elements that a key
/// collects from are looked into; alternative paths of keys are known, used or
/// not. Nested models,
/// inlined ones and the chosen variant of a cluster are looked into; members
/// beside an envelope are none of the model's. An object whose model keeps
/// unknown members has none.
///
/// Each is a `MappingError` of code `unknownKey` with its path, its place in the
/// text and what it is. It suggests the key that was perhaps meant, where that
/// is missing.
public enum UnknownKeyPolicy: Sendable {
  /// They are passed over.
  case ignore
  /// They are errors, behind the others of their object, in the order of the
  /// text. An alternative form of a value that refuses gives way to the next.
  case refuse
  /// They are passed over, and a function is told of each, once: before the call
  /// returns or throws that reads a document or the next element of a
  /// stream. Those of nested models come before those of the model around.
  case report(@Sendable (MappingError) -> Void)
}

/// The look for unknown keys in one call of an adapter.
final class UnknownKeyCheck {
  /// Whether unknown keys are no errors.
  let isReport: Bool
  private var found: [MappingError] = []

  /// Makes none where unknown keys are ignored.
  init?(_ policy: UnknownKeyPolicy) {
    switch policy {
    case .ignore: return nil
    case .refuse: isReport = false
    case .report: isReport = true
    }
  }

  /// Takes the errors of an object, to report them.
  func add(_ errors: [MappingError]) { found += errors }

  /// Forgets what was found in a value that is now read anew, in another form.
  func forget(inside path: () -> FieldPath) {
    guard !found.isEmpty else { return }
    let steps = path().components
    while let last = found.last?.path, last.components.starts(with: steps) { found.removeLast() }
  }

  /// What was found, each once, to be found no more.
  func take() -> [MappingError] {
    defer { found = [] }
    var paths = Set<FieldPath>()
    return found.filter { error in error.path.map { paths.insert($0).inserted } ?? true }
  }
}

extension JSONAdapter {
  /// Tells of unknown keys, where that is asked for.
  func report(_ errors: [MappingError]) {
    guard case .report(let report) = unknownKeys else { return }
    for error in errors { report(error) }
  }
}
