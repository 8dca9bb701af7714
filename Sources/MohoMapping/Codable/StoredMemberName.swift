/// The names of members in structured text, which reserves names that begin with `_moho_`.
///
/// A member of a document or a dictionary that has such a name has another one in the text.
enum StoredMemberName {
  private static let prefix = PreservedJSON.reservedPrefix + "member "
  /// The prefix of keys whose names could be those of other members.
  private static let keyPrefix = PreservedJSON.reservedPrefix + "key "

  /// Returns the name that a member has in the text.
  static func stored(_ name: String) -> String { isReserved(name) ? prefix + name : name }

  /// Returns the name of a member. Nil if it is reserved: the member is not that of a
  /// document.
  static func member(_ stored: String) -> String? {
    guard isReserved(stored) else { return stored }
    return stored.utf8.starts(with: prefix.utf8)
      ? String(decoding: stored.utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }

  /// Returns the name that a key has in the text if documents do not contain it.
  static func storeOnly(_ key: String) -> String {
    formerStoreOnly(key) == nil ? PreservedJSON.reservedPrefix + key : keyPrefix + key
  }

  /// Returns the name that a key had in the text before it was reserved. Nil for other keys.
  static func formerStoreOnly(_ key: String) -> String? {
    let name = PreservedJSON.reservedPrefix + key
    let isOther =
      [PreservedJSON.name, UnknownOrder.name].contains(name)
      || [prefix, keyPrefix].contains { name.utf8.starts(with: $0.utf8) }
    return isOther ? name : nil
  }

  private static func isReserved(_ name: String) -> Bool {
    name.utf8.starts(with: PreservedJSON.reservedPrefix.utf8)
  }
}

extension FieldPath {
  /// The path of an unknown member in structured text.
  var stored: FieldPath { FieldPath(Self.replacingFirst(of: components, StoredMemberName.stored)) }

  /// The path of the unknown member at a path in structured text. Nil if it is reserved.
  var member: FieldPath? {
    guard case .key(let name)? = components.first else { return self }
    return StoredMemberName.member(name).map { name in
      FieldPath(Self.replacingFirst(of: components) { _ in name })
    }
  }

  private static func replacingFirst(
    of components: [Component], _ name: (String) -> String
  ) -> [Component] {
    guard case .key(let first)? = components.first else { return components }
    return [.key(name(first))] + components.dropFirst()
  }
}
