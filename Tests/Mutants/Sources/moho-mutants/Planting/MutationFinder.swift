import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Finds everything that can be changed in a file.
///
/// Code that cannot have a switch is skipped: inlinable code, default arguments, attributes,
/// patterns, macros and conditional compilation. So is code without observable effect, such as
/// assertions, capacities and hash functions.
final class MutationFinder: SyntaxVisitor {
  private let file: String
  private let converter: SourceLocationConverter
  private(set) var mutations: [Mutation] = []
  /// Variables that are assigned once, after their declaration. The compiler requires these
  /// assignments.
  private var uninitialized: Set<String> = []

  private init(file: String, tree: Syntax) {
    self.file = file
    converter = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  /// The mutations of a file.
  static func mutations(of source: String, file: String) -> [Mutation] {
    let parsed = Parser.parse(source: source)
    let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    let finder = MutationFinder(file: file, tree: tree)
    finder.walk(tree)
    var counts: [MutantIdentity: Int] = [:]
    return finder.mutations.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }.map { mutation in
      var mutation = mutation
      let count = counts[mutation.identity, default: 0]
      counts[mutation.identity] = count + 1
      mutation.identity.occurrence = count
      return mutation
    }
  }

  /// Adds a mutation that replaces an expression.
  func replace(_ node: some SyntaxProtocol, with text: String) {
    // Both variants must fit on the line, so that errors have the lines of the original.
    guard lines(of: node).count == 1 else { return }
    let original = node.trimmedDescription
    add(
      node, change: "`\(original)` → `\(text)`",
      code: "(\(Mutation.condition) ? (\(text)) : (\(original)))")
  }

  /// Adds a mutation that negates a condition.
  func negate(_ node: some SyntaxProtocol) {
    let original = node.trimmedDescription
    add(
      node, change: "`\(original)` → not `\(original)`",
      code: "(\(Mutation.condition) != (\(original)))")
  }

  /// Adds a mutation that removes a statement.
  func remove(_ node: some SyntaxProtocol) {
    let original = node.trimmedDescription
    add(node, change: "`\(original)` removed", code: "if !\(Mutation.condition) { \(original) }")
  }

  /// Adds a mutation whose code is written in place of a node.
  func add(_ node: some SyntaxProtocol, change: String, code: String) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let function = node.innermostFunction
    mutations.append(
      Mutation(
        identity: MutantIdentity(
          file: file, function: node.names,
          change: change.split(whereSeparator: \.isWhitespace).joined(separator: " ")),
        bytes: start..<start + node.trimmedLength.utf8Length, lines: lines(of: node),
        functionLines: function.map { lines(of: $0) } ?? lines(of: node), code: code))
  }

  func lines(of node: some SyntaxProtocol) -> ClosedRange<Int> {
    let first = converter.location(for: node.positionAfterSkippingLeadingTrivia).line
    return first...max(first, converter.location(for: node.endPositionBeforeTrailingTrivia).line)
  }

  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    if node.initializer == nil, node.accessorBlock == nil {
      uninitialized.insert(node.pattern.trimmedDescription)
    }
    return .visitChildren
  }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if node.name.text == "hash" { return .skipChildren }
    return node.attributes.isInlinable ? .skipChildren : .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    node.attributes.isInlinable ? .skipChildren : .visitChildren
  }

  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    node.attributes.isInlinable ? .skipChildren : .visitChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    node.attributes.isInlinable ? .skipChildren : .visitChildren
  }

  override func visit(_ node: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name =
      node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? node.calledExpression.trimmedDescription
    if Self.skippedCalls.contains(name) { return .skipChildren }
    findCall(node, name)
    return .visitChildren
  }

  private static let skippedCalls: Set = [
    "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError",
    "reserveCapacity",
  ]

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { findCondition(condition) }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    findCondition(node.condition)
    return .visitChildren
  }

  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    findCondition(node.condition)
    return .visitChildren
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    findOperator(node)
    return .visitChildren
  }

  override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    if node.operator.text == "!" { replace(node, with: node.expression.trimmedDescription) }
    // A negative literal is one constant.
    return node.expression.is(IntegerLiteralExprSyntax.self) ? .skipChildren : .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    findMember(node)
    return .visitChildren
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    findInteger(node)
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    if !node.isConstant {
      let other = node.literal.text == "true" ? "false" : "true"
      replace(node, with: other)
    }
    return .skipChildren
  }

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    findStatement(node, uninitialized: uninitialized)
    return .visitChildren
  }
}
