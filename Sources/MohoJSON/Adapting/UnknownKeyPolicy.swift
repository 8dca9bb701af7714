public import MohoMapping

/// What an adapter does with unknown keys: members without a key mapping.
///
/// Unknown keys are
///
/// - the members of an object that no key of its model is mapped to,
/// - the members of the objects on the paths of keys,
/// - the elements of the arrays on these paths, except null elements before
///   another element, which are padding.
///
/// The search includes elements that a key collects from, nested models, inlined
/// models and the chosen variant of a cluster. A key with alternative paths has only
/// the value that it reads: values at its other paths are unknown, and so are values
/// that block these paths. Members next to an envelope do not belong to the model. An
/// object whose model stores its unknown members has no unknown keys.
///
/// Each unknown key is a `MappingError` of code `unknownKey` with its path, its
/// position in the text and its value. It suggests a similar key that is missing.
public enum UnknownKeyPolicy: Sendable {
  /// Unknown keys are skipped.
  case ignore
  /// Unknown keys are errors. They follow the other errors of their object, in the
  /// order of the text. A value with alternative forms is decoded as the first form
  /// without unknown keys.
  case refuse
  /// Unknown keys are skipped, and a function receives each of them once, before
  /// the call that decodes the document or the next element of a stream returns or
  /// throws. Those of nested models come before those of the containing model.
  case report(@Sendable (MappingError) -> Void)
}

/// The unknown keys found during one call of an adapter.
final class UnknownKeyCheck {
  /// Whether unknown keys are reported instead of being errors.
  let isReport: Bool
  private var found: [MappingError] = []

  /// Nil if unknown keys are ignored.
  init?(_ policy: UnknownKeyPolicy) {
    switch policy {
    case .ignore: return nil
    case .refuse: isReport = false
    case .report: isReport = true
    }
  }

  /// Adds the unknown keys of an object.
  func add(_ errors: [MappingError]) { found += errors }

  /// Removes the unknown keys in a value that is decoded again in another form.
  func removeAll(inside path: () -> FieldPath) {
    guard !found.isEmpty else { return }
    let steps = path().components
    while let last = found.last?.path, last.components.starts(with: steps) { found.removeLast() }
  }

  /// Removes and returns the unknown keys, each once.
  func removeAll() -> [MappingError] {
    defer { found = [] }
    var paths = Set<FieldPath>()
    return found.filter { error in error.path.map { paths.insert($0).inserted } ?? true }
  }
}

extension JSONAdapter {
  func report(_ unknownKeys: [MappingError]) {
    guard case .report(let report) = unknownKeyPolicy else { return }
    for error in unknownKeys { report(error) }
  }
}
