import MohoMapping
import MohoRows

/// The trigger of a delete rule that a foreign key cannot implement, and its
/// function.
struct DeleteTrigger: Sendable, Hashable {
  let name: String
  let table: String
  let relationship: String
  let function: String
  /// Whether the trigger denies the deletion instead of deleting other rows.
  let denies: Bool
  /// The body of the function.
  let body: String

  /// - Parameter namespace: The PostgreSQL schema of the tables. A trigger runs
  ///   with the search path of the session that deletes the row.
  func statements(in namespace: String) -> [String] {
    // A row that a trigger before its deletion has changed, for example by the
    // delete rule of a foreign key, cannot be deleted. Rows are therefore deleted
    // afterwards.
    return [
      function(in: namespace, body),
      "CREATE TRIGGER \(quotedName(name)) \(denies ? "BEFORE" : "AFTER") DELETE"
        + " ON \(quotedName(table)) FOR EACH ROW EXECUTE FUNCTION"
        + " \(qualifiedName(function, in: namespace))()",
    ]
  }

  /// Returns the statement that creates the function with a body.
  func function(in namespace: String, _ body: String) -> String {
    "CREATE OR REPLACE FUNCTION \(qualifiedName(function, in: namespace))()"
      + " RETURNS trigger LANGUAGE plpgsql AS \(quotedText(body))"
  }
}

extension CompiledSchema {
  /// The triggers of all delete rules that foreign keys cannot implement.
  func deleteTriggers(in namespace: String) -> [DeleteTrigger] {
    entities.flatMap(\.relationships).filter(\.needsDeleteTrigger).map {
      deleteTrigger(of: $0, in: namespace)
    }
  }

  /// Returns the trigger of a delete rule that a foreign key cannot implement.
  func deleteTrigger(
    of relationship: CompiledRelationship, in namespace: String
  ) -> DeleteTrigger {
    let namespace = quotedName(namespace)
    let (entity, destination) = (
      entities[relationship.entity], entities[relationship.destination]
    )
    let linked = linkedRows(of: relationship, from: entity, to: destination, in: namespace)
    let denies = relationship.deleteRule == .deny
    let body =
      if denies {
        "BEGIN IF EXISTS (\(linked)) THEN RAISE EXCEPTION USING"
          + " MESSAGE = \(quotedText("\(StoreError.denial)\(relationship.label)")),"
          + " ERRCODE = 'restrict_violation',"
          + " TABLE = \(quotedText(relationship.declaration.entity)),"
          + " COLUMN = \(quotedText(relationship.declaration.key)); END IF; RETURN OLD; END"
      } else {
        "BEGIN DELETE FROM \(namespace).\(quotedName(destination.name)) WHERE"
          + " \(quotedName(destination.identityColumn)) IN (\(linked)); RETURN NULL; END"
      }
    return DeleteTrigger(
      name: PostgresName.deleteTrigger(relationship.name), table: entity.name,
      relationship: relationship.name,
      function: PostgresName.deleteFunction(relationship.name, of: entity.name), denies: denies,
      body: body)
  }

  /// Returns the query for the rows that the row `OLD` is linked to.
  private func linkedRows(
    of relationship: CompiledRelationship, from entity: CompiledEntity,
    to destination: CompiledEntity, in namespace: String
  ) -> String {
    let identity = "OLD.\(quotedName(entity.identityColumn))"
    switch relationship.storage {
    case .inverseColumn(let column, _):
      return "SELECT 1 FROM \(namespace).\(quotedName(destination.name))"
        + " WHERE \(quotedName(column)) = \(identity)"
    case .column:
      // A link can remain after the deletion of its row, before it is checked.
      let link = quotedName(destination.identityColumn)
      return "SELECT \(link) FROM \(namespace).\(quotedName(destination.name))"
        + " WHERE \(link) = OLD.\(quotedName(relationship.name))"
    case .table(let table, let end):
      return "SELECT \(LinkTable.column(end.other)) FROM \(namespace).\(quotedName(table.name))"
        + " WHERE \(LinkTable.column(end)) = \(identity)"
    }
  }
}
