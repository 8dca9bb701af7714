extension Mapping {
  /// The property in messages: the name of its key, or the text of the key path.
  package func shown(_ keyPath: PartialKeyPath<Model>) -> String {
    if let name = key(for: keyPath)?.name, !name.isEmpty { return "`\(name)`" }
    return propertyText(keyPath)
  }

  /// The stored key whose value contains a property, such as `user` for
  /// `\.user.login`.
  package func key(containing keyPath: PartialKeyPath<Model>) -> FieldKey? {
    let text = "\(keyPath)"
    return zip(keys, fields).first { _, field in
      guard let own = field.keyPath.map({ "\($0)" }) else { return false }
      return text.hasPrefix(own + ".") || text.hasPrefix(own + "?.") || text.hasPrefix(own + "!.")
    }?.0
  }
}

/// Returns the text of a key path for messages, such as `` `\Episode.title` ``.
///
/// The description of a computed property contains an address, which differs
/// between processes. Its text is the types of the model and of the property.
package func propertyText<Model>(_ keyPath: PartialKeyPath<Model>) -> String {
  let text = "\(keyPath)"
  guard text.contains("<computed") else { return "`\(text)`" }
  return "a computed property of `\(Model.self)` with type `\(type(of: keyPath).valueType)`"
}
