import SwiftSyntax

extension MutationFinder {
  /// Negates a condition, unless a change of its operator has the same effect.
  func findCondition(_ condition: ExprSyntax) {
    let inner = condition.withoutEffects
    if inner.is(PrefixOperatorExprSyntax.self) || inner.is(BooleanLiteralExprSyntax.self) { return }
    if let infix = inner.as(InfixOperatorExprSyntax.self),
      ["==", "!=", "===", "!=="].contains(infix.operator.trimmedDescription)
    {
      return
    }
    negate(inner)
  }

  /// Operators and those that replace them.
  private static let operators = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==",
    "!==": "===", "&&": "||", "||": "&&", "-": "+", "&-": "&+", "&+": "&-",
  ]

  func findOperator(_ node: InfixOperatorExprSyntax) {
    let name = node.operator.trimmedDescription
    let left = node.leftOperand.trimmedDescription
    let right = node.rightOperand.trimmedDescription
    if let other = Self.operators[name] {
      replace(node, with: "\(left) \(other) \(right)")
    } else if name == "+", node.leftOperand.isNumber || node.rightOperand.isNumber {
      replace(node, with: "\(left) - \(right)")
    } else if name == "..<" || name == "...", node.rightOperand.isNumber {
      replace(node.rightOperand, with: "(\(right)) - 1")
    }
  }

  /// Members and those that replace them.
  private static let members = [
    "first": "last", "last": "first", "lowerBound": "upperBound", "upperBound": "lowerBound",
  ]

  func findMember(_ node: MemberAccessExprSyntax) {
    guard let base = node.base, node.declName.argumentNames == nil,
      let other = Self.members[node.declName.baseName.text], node.parent?.isRead == true
    else { return }
    replace(node, with: "\(base.trimmedDescription).\(other)")
  }

  func findCall(_ node: FunctionCallExprSyntax, _ name: String) {
    let callee = node.calledExpression
    let arguments = node.arguments.trimmedDescription
    if ["dropFirst", "dropLast"].contains(name), node.arguments.isEmpty, !callee.hasOptionalChain {
      replace(node, with: "\(callee.trimmedDescription)(0)")
    } else if ["min", "max"].contains(name), node.trailingClosure == nil, !callee.hasOptionalChain {
      let other = name == "min" ? "max" : "min"
      let base = callee.as(MemberAccessExprSyntax.self)?.base.map { "\($0.trimmedDescription)." }
      if callee.is(MemberAccessExprSyntax.self), base == nil { return }
      replace(node, with: "\(base ?? "")\(other)(\(arguments))")
    }
  }

  func findInteger(_ node: IntegerLiteralExprSyntax) {
    guard !node.isConstant, let number = Int(node.literal.text.replacing("_", with: "")),
      number < 1_000, node.parent?.is(ArrayElementSyntax.self) != true
    else { return }
    replace(node, with: "\(number + 1)")
  }
}

extension ExprSyntax {
  /// The expression without `try`, `await` and `unsafe`.
  var withoutEffects: ExprSyntax {
    if let node = self.as(TryExprSyntax.self) { return node.expression.withoutEffects }
    if let node = self.as(AwaitExprSyntax.self) { return node.expression.withoutEffects }
    if let node = self.as(UnsafeExprSyntax.self) { return node.expression.withoutEffects }
    return self
  }

  /// Whether the expression is an integer, as far as its text shows.
  fileprivate var isNumber: Bool {
    if self.is(IntegerLiteralExprSyntax.self) { return true }
    let text = trimmedDescription
    if text.contains("\"") { return false }
    let names = ["count", "Count", "offset", "length", "number", "size"]
    return names.contains { text.hasSuffix($0) }
  }

  /// Whether the expression has `?` or `!`, which apply to the rest of the chain.
  fileprivate var hasOptionalChain: Bool {
    tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .postfixQuestionMark }
  }
}

extension Syntax {
  /// Whether a child expression is only read, and no part of a chain of optionals.
  fileprivate var isRead: Bool {
    if self.is(MemberAccessExprSyntax.self) || self.is(OptionalChainingExprSyntax.self)
      || self.is(ForceUnwrapExprSyntax.self) || self.is(InOutExprSyntax.self)
      || self.is(FunctionCallExprSyntax.self) || self.is(SubscriptCallExprSyntax.self)
    {
      return false
    }
    if let infix = self.as(InfixOperatorExprSyntax.self) {
      return !infix.operator.trimmedDescription.isAssignment
    }
    return true
  }
}

extension String {
  /// Whether the name of an operator is that of an assignment.
  var isAssignment: Bool {
    hasSuffix("=") && !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(self)
  }
}

extension SyntaxProtocol {
  /// Whether a literal is a constant of a type, or a part of one. A change of most constants,
  /// such as limits and sizes, only moves where work happens.
  var isConstant: Bool {
    guard let parent else { return false }
    if let variable = parent.as(VariableDeclSyntax.self) {
      return variable.parent?.is(CodeBlockItemSyntax.self) != true
    }
    if parent.is(CodeBlockSyntax.self) || parent.is(ClosureExprSyntax.self) { return false }
    if parent.is(AccessorBlockSyntax.self) { return false }
    return parent.isConstant
  }
}
