/// How a key whose value is nil is written to a document.
///
/// An adapter has a policy for all keys, a call may have another, and a key that
/// declares ``KeyTraits/nilAsNull`` or ``KeyTraits/nilOmitted`` goes before
/// both. An inlined model that is nil is written by the policy of the call or
/// the adapter.
public enum NullPolicy: Hashable, Sendable {
  /// The key is left out, and so are objects and arrays that hold nothing else.
  ///
  /// A key that has a default is written as null all the same: left out, it
  /// would read back as the default. Not so with ``KeyTraits/nullIsAbsent``,
  /// which reads null as the default too.
  case omit
  /// The key is written as null.
  case null
}

extension MappingKey {
  /// Whether nil is written as null where a call or an adapter has a policy.
  package func writesNull(_ policy: NullPolicy) -> Bool {
    if traits.contains(.nilAsNull) { return true }
    let isNull = policy == .null && !traits.contains(.nilOmitted)
    return isNull || (hasDefault && !traits.contains(.nullIsAbsent))
  }
}
