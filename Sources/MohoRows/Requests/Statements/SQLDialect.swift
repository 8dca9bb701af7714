package import MohoMapping

/// The SQL of a database: how ``SQLWriter`` writes the parts of statements that
/// databases write differently.
///
/// A dialect must agree with in-memory evaluation on every value. It throws a
/// ``StoreError`` with the code ``StoreError/Code/invalidRequest`` for a
/// condition or value that the database cannot evaluate with the same result.
package protocol SQLDialect: Sendable {
  /// The conditions that are always true and never true.
  var always: String { get }
  var never: String { get }

  /// The operator that considers two nulls equal.
  var isSame: String { get }

  /// Returns the condition that a condition is false or null.
  func negation(_ condition: String) -> String

  /// What follows a subquery in `FROM`.
  var subqueryName: String { get }

  /// Whether distinct rows are sorted by a query around them, because they can
  /// be sorted only by their columns.
  var sortsDistinctRowsOutside: Bool { get }

  /// The maximum number of parameters in a statement.
  var maximumParameterCount: Int { get }

  /// Returns the SQL of a parameter that is bound to a value.
  func parameter(_ number: Int, _ value: FieldContent) -> String

  /// Returns the SQL of a constant.
  func constant(_ writer: inout SQLWriter, _ value: FieldContent) throws -> String

  /// Returns the SQL that limits the rows of a query, without the offset.
  func limit(_ limit: Int?) -> String

  /// Returns the condition that the value of a term is in a list of integers,
  /// which is the only parameter of its statement.
  func isInList(_ term: String) -> String

  /// Returns the argument of ``isInList(_:)``.
  func list(_ integers: some Collection<Int64>) -> FieldContent

  func comparison(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ comparison: Filter.Comparison,
    _ right: ResolvedOperand, _ type: ComparedType
  ) throws -> String

  /// Returns the condition that a value is one of several values, which are not
  /// null, or is null, with `orNull`.
  func membership(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ values: [FieldContent],
    orNull: Bool
  ) throws -> String

  func arithmetic(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ operation: Arithmetic,
    _ right: ResolvedOperand, _ type: ValueType
  ) throws -> String

  /// Returns the SQL of a value inside the structured text of a column.
  func nested(_ key: NestedKey, in column: String) throws -> String

  func text(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ match: TextMatch
  ) throws -> String

  func indexLetter(
    _ writer: inout SQLWriter, _ text: ResolvedOperand, locale: String?
  ) throws -> String

  /// Returns the condition that a row has the words of a search that is not
  /// empty.
  func search(
    _ writer: inout SQLWriter, _ path: RowReferencePath, _ search: ResolvedSearch
  ) throws -> String

  func searchValue(_ writer: inout SQLWriter, _ value: ResolvedSearchValue) throws -> String

  /// Returns the SQL of a selected value, in the form that sorts and groups it.
  func selected(_ writer: inout SQLWriter, _ operand: ResolvedOperand) throws -> String

  /// Returns the SQL of a value in the form that an ordering compares.
  func sortValue(_ writer: inout SQLWriter, _ ordering: ResolvedOrdering) throws -> String

  /// Returns the clause for the position of nulls in an order.
  ///
  /// - Parameter isNeverNull: Whether the value cannot be null.
  func nulls(_ ordering: Ordering, isNeverNull: Bool) -> String

  /// Returns the SQL of the section that an ordering with options or a collation
  /// creates: the value without the differences that the options ignore.
  func section(_ writer: inout SQLWriter, _ ordering: ResolvedOrdering) throws -> String

  /// Returns the SQL that groups rows by a selected value.
  func group(_ term: String, _ type: ValueType) -> String

  /// Returns the SQL that sorts groups by a selected value, null first.
  func groupOrder(_ term: String, _ type: ValueType) -> String

  /// Whether ``aggregate(_:_:_:)`` returns averages of decimals. Otherwise, it
  /// returns their sum instead.
  var averagesDecimals: Bool { get }

  /// Returns the SQL of a value that is computed from the rows of a group.
  func aggregate(_ function: Aggregate.Function, _ term: String, _ type: ValueType) -> String
}
