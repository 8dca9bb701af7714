package import MohoMapping

/// The SQL of a database: how ``SQLWriter`` writes the parts of statements that
/// databases write differently.
///
/// A dialect must agree with in-memory evaluation on every value; see
/// ``RequestEvaluator``. It throws a ``StoreError`` with the code
/// ``StoreError/Code/invalidRequest`` for a condition or value that the database cannot
/// evaluate with the same result.
///
/// Methods with a writer write operands with ``SQLWriter/sql(_:)`` and arguments with
/// ``SQLWriter/bind(_:)``. A condition that is null does not match.
package protocol SQLDialect: Sendable {
  /// The condition that is always true.
  var always: String { get }

  /// The condition that is never true.
  var never: String { get }

  /// The operator that compares identities and considers two nulls equal.
  var isSame: String { get }

  /// Returns the condition that a condition is false or null.
  func negation(_ condition: String) -> String

  /// The SQL after a subquery in `FROM`: an alias after a space, or an empty text if the
  /// database does not require one.
  var subqueryName: String { get }

  /// Whether distinct rows are sorted by a query around them, because they can
  /// be sorted only by their columns.
  var sortsDistinctRowsOutside: Bool { get }

  /// The maximum number of parameters in a statement.
  var maximumParameterCount: Int { get }

  /// Returns the SQL of a parameter.
  ///
  /// - Parameters:
  ///   - number: The number of the parameter, from 1.
  ///   - value: The argument, which determines the type of the parameter.
  func parameter(_ number: Int, _ value: FieldContent) -> String

  /// Returns the SQL of a constant, which may be null.
  func constant(_ writer: inout SQLWriter, _ value: FieldContent) throws -> String

  /// Returns the SQL before `OFFSET` that limits the rows of a query: a clause after a
  /// space, or an empty text.
  ///
  /// - Parameter limit: The maximum number of rows, or nil for all rows.
  func limit(_ limit: Int?) -> String

  /// Returns the condition that the integer of a term is in a list of any length. The
  /// list is the only parameter of the statement.
  func isInList(_ term: String) -> String

  /// Returns the list as the argument of ``isInList(_:)``.
  func list(_ integers: some Collection<Int64>) -> FieldContent

  /// Returns the condition that compares two values. Null equals only null, and has no
  /// order.
  ///
  /// - Parameter type: The way to compare the values, which may have different types.
  func comparison(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ comparison: Filter.Comparison,
    _ right: ResolvedOperand, _ type: ComparedType
  ) throws -> String

  /// Returns the condition that a value is one of several values, which are not
  /// null, or, with `orNull`, that it is null.
  func membership(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ values: [FieldContent],
    orNull: Bool
  ) throws -> String

  /// Returns the SQL of the result of a calculation. It is null if an operand is null,
  /// and in the other cases that ``Operand`` lists.
  ///
  /// - Parameter type: The type of the result. Null if an operand is always null.
  func arithmetic(
    _ writer: inout SQLWriter, _ left: ResolvedOperand, _ operation: Arithmetic,
    _ right: ResolvedOperand, _ type: ValueType
  ) throws -> String

  /// Returns the SQL of a value inside the structured text of a column. It is null if the
  /// text has no value of the key's type at its path.
  ///
  /// - Parameter column: The SQL of the column.
  func nested(_ key: NestedKey, in column: String) throws -> String

  /// Returns the condition that a text matches. Null does not match.
  func text(
    _ writer: inout SQLWriter, _ operand: ResolvedOperand, _ match: TextMatch
  ) throws -> String

  /// Returns the SQL of the letter under which an alphabetical index lists a text; see
  /// ``ModelKey/indexLetter``. It is null if the text is null.
  ///
  /// - Parameter locale: The identifier of the index's locale, or nil for letters that do
  ///   not depend on a locale.
  func indexLetter(
    _ writer: inout SQLWriter, _ text: ResolvedOperand, locale: String?
  ) throws -> String

  /// Returns the condition that a row has the words of a search that is not
  /// empty.
  ///
  /// The dialect of a database without full-text search throws a ``StoreError`` with the
  /// code ``StoreError/Code/searchUnavailable``.
  func search(
    _ writer: inout SQLWriter, _ path: RowReferencePath, _ search: ResolvedSearch
  ) throws -> String

  /// Returns the SQL of a value that the full-text index provides for the rows of the
  /// request, which all searches of the value find. Throws the errors of
  /// ``search(_:_:_:)``.
  func searchValue(_ writer: inout SQLWriter, _ value: ResolvedSearchValue) throws -> String

  /// Returns the SQL of a selected value, in the form that sorts and groups it and that
  /// ``StoreSession/forEachRow(of:as:_:)`` reads.
  func selected(_ writer: inout SQLWriter, _ operand: ResolvedOperand) throws -> String

  /// Returns the SQL of a value in the form that an ordering compares, with its text
  /// options and its collation. The direction and ``nulls(_:_:isNeverNull:)`` follow it.
  func sortValue(_ writer: inout SQLWriter, _ ordering: ResolvedOrdering) throws -> String

  /// Returns the clause for the position of nulls in an order, after a space. Empty if it
  /// is not needed.
  ///
  /// - Parameter isNeverNull: Whether the value cannot be null.
  func nulls(
    _ position: Ordering.NilPosition, _ direction: Ordering.Direction, isNeverNull: Bool
  ) -> String

  /// Returns the SQL of the section that an ordering with text options creates: the text
  /// without the differences that the options ignore. Not called for other orderings.
  func section(_ writer: inout SQLWriter, _ ordering: ResolvedOrdering) throws -> String

  /// Returns the SQL that groups rows by a selected value, in `GROUP BY` and `PARTITION BY`.
  ///
  /// - Parameter term: The value, or its name in a subquery.
  func group(_ term: String, _ type: ValueType) -> String

  /// Returns the SQL that sorts groups, or distinct rows, by a selected value, null
  /// first.
  ///
  /// - Parameter term: The name of the value in a subquery.
  func groupOrder(_ term: String, _ type: ValueType) -> String

  /// Returns the SQL of a value that is computed from the rows of a group. Nulls are
  /// ignored. If all values are null, a count is 0, and other values are null.
  ///
  /// Sums of integers and decimals are exact, and null if they are out of range. The
  /// average of decimals is their sum, which the caller divides by their count.
  ///
  /// - Parameters:
  ///   - term: The name of the value in a subquery.
  ///   - type: The type of the value.
  func aggregate(_ function: Aggregate.Function, _ term: String, _ type: ValueType) -> String
}
