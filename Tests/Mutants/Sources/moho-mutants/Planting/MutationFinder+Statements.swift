import SwiftSyntax

extension MutationFinder {
  /// Removes a statement that can be removed.
  func findStatement(_ item: CodeBlockItemSyntax, uninitialized: Set<String>) {
    switch item.item {
    case .stmt(let statement):
      guard !item.isInGuard, !item.isValue else { return }
      if let exit = statement.as(ReturnStmtSyntax.self), exit.expression == nil { remove(exit) }
      if statement.is(ContinueStmtSyntax.self) || statement.is(ThrowStmtSyntax.self) {
        remove(statement)
      }
      if statement.is(BreakStmtSyntax.self), !item.isOnlyStatement { remove(statement) }
    case .expr(let expression):
      let inner = expression.withoutEffects
      if let call = inner.as(FunctionCallExprSyntax.self) {
        guard !item.isValue, !call.initializes else { return }
        remove(expression)
      } else if let infix = inner.as(InfixOperatorExprSyntax.self),
        infix.operator.trimmedDescription.isAssignment
      {
        let target = infix.leftOperand.trimmedDescription
        guard !item.isInInitializer, !uninitialized.contains(target), target != "_",
          target != "self"
        else { return }
        remove(expression)
      }
    case .decl: break
    }
  }
}

extension FunctionCallExprSyntax {
  /// Whether the call initializes `self`, or never returns.
  fileprivate var initializes: Bool {
    let name = calledExpression.trimmedDescription
    return name.hasSuffix(".init") || ["fatalError", "preconditionFailure"].contains(name)
  }
}

extension CodeBlockItemSyntax {
  fileprivate var isOnlyStatement: Bool {
    parent?.as(CodeBlockItemListSyntax.self)?.count == 1
  }

  /// Whether the statement is directly in `else` of `guard`, which it must leave.
  fileprivate var isInGuard: Bool {
    let block = parent?.parent
    return block?.parent?.is(GuardStmtSyntax.self) == true
  }

  /// Whether the statement is in an initializer, or in a function that it contains.
  fileprivate var isInInitializer: Bool {
    var node = parent
    while let current = node {
      if current.is(InitializerDeclSyntax.self) { return true }
      if current.is(FunctionDeclSyntax.self) { return false }
      node = current.parent
    }
    return false
  }

  /// Whether the statement may be the value of a function, a closure, `if` or `switch`.
  fileprivate var isValue: Bool {
    guard let list = parent?.as(CodeBlockItemListSyntax.self), list.count == 1,
      let owner = list.parent
    else { return false }
    if owner.is(ClosureExprSyntax.self) || owner.is(AccessorBlockSyntax.self) { return true }
    if owner.is(SwitchCaseSyntax.self) {
      return owner.parent?.parent?.isValueOfStatement ?? false
    }
    guard owner.is(CodeBlockSyntax.self), let parent = owner.parent else { return false }
    if let function = parent.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    if let accessor = parent.as(AccessorDeclSyntax.self) {
      return accessor.accessorSpecifier.text == "get"
    }
    return parent.is(IfExprSyntax.self) && parent.isValueOfStatement
  }
}

extension Syntax {
  /// Whether an `if` or `switch` may be a value.
  fileprivate var isValueOfStatement: Bool {
    if let outer = parent, outer.is(IfExprSyntax.self) { return outer.isValueOfStatement }
    guard let statement = parent?.as(ExpressionStmtSyntax.self) else { return true }
    guard let item = statement.parent?.as(CodeBlockItemSyntax.self) else { return true }
    return item.isValue
  }
}
