import SwiftSyntax

extension SyntaxProtocol {
  /// The names of the types and functions that contain the node, such as `Queue.append(_:)`.
  var names: String {
    var names: [String] = []
    var node = Syntax(self)
    while let parent = node.parent {
      if let name = parent.declaredName { names.append(name) }
      node = parent
    }
    return names.reversed().joined(separator: ".")
  }

  /// The innermost function, accessor or variable that contains the node.
  var innermostFunction: Syntax? {
    var node = parent
    while let current = node {
      if current.isProtocol((any DeclSyntaxProtocol).self), current.declaredName != nil {
        return current
      }
      node = current.parent
    }
    return nil
  }
}

extension Syntax {
  fileprivate var declaredName: String? {
    if let node = self.as(FunctionDeclSyntax.self) {
      return node.name.text + node.signature.parameterClause.labels
    }
    if let node = self.as(InitializerDeclSyntax.self) {
      return "init" + node.signature.parameterClause.labels
    }
    if let node = self.as(SubscriptDeclSyntax.self) {
      return "subscript" + node.parameterClause.labels
    }
    if let node = self.as(VariableDeclSyntax.self) {
      // A local variable does not identify anything.
      return node.parent?.is(CodeBlockItemSyntax.self) == true
        ? nil : node.bindings.first?.pattern.trimmedDescription
    }
    if let node = self.as(ExtensionDeclSyntax.self) { return node.extendedType.trimmedDescription }
    if self.is(DeinitializerDeclSyntax.self) { return "deinit" }
    return asProtocol((any NamedDeclSyntax).self)?.name.text
  }
}

extension FunctionParameterClauseSyntax {
  fileprivate var labels: String {
    "(" + parameters.map { $0.firstName.text + ":" }.joined() + ")"
  }
}

extension AttributeListSyntax {
  /// Whether other modules may compile the code.
  var isInlinable: Bool {
    contains { $0.trimmedDescription.hasPrefix("@inlinable") }
  }
}
