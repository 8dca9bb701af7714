import MohoMapping
import Testing

@testable import MohoRows
@testable import MohoSQLite

/// The compiled form of a schema: indexes, storage of links, tables and columns.
@Suite struct CompiledSchemaTests {
  private func schema() throws -> CompiledSchema {
    try Schema([
      Entity(
        "Shelf", attributes: [Attribute("id", .int64), Attribute("name", .string)],
        relationships: [.toMany("books", "Book", isOrdered: true)], unique: [["id"]]),
      Entity(
        "Book", attributes: [Attribute("isbn", .string)],
        relationships: [
          .toOne("shelf", "Shelf", inverse: "books"),
          .toMany("tags", "Tag_", isOrdered: true, inverse: "books"),
          .toOne("cover", "Cover", isOptional: true, inverse: "book"),
        ], unique: [["isbn"], ["shelf", "isbn"]]),
      Entity("Tag_", attributes: [], relationships: [.toMany("books", "Book")]),
      Entity("Cover", attributes: [], relationships: [.toOne("book", "Book")]),
    ]).compiled
  }

  @Test func bothEndsOfARelationshipFindEachOther() throws {
    let schema = try schema()

    for entity in schema.entities {
      for relationship in entity.relationships {
        let inverse = try #require(schema.inverse(of: relationship))
        #expect(schema.inverse(of: inverse) == relationship)
        #expect(schema.entities[relationship.destination].relationships.contains(inverse))
      }
    }
  }

  @Test func exactlyOneEndStoresTheLinks() throws {
    let schema = try schema()
    let storage = Dictionary(
      uniqueKeysWithValues: schema.entities.flatMap(\.relationships).map { ($0.label, $0.storage) })
    let table = try #require(schema.linkTables.first)

    #expect(storage["Shelf.books"] == .inverseColumn("shelf", position: "_moho_position_shelf"))
    #expect(storage["Book.shelf"] == .column)
    #expect(storage["Book.cover"] == .column)
    #expect(storage["Cover.book"] == .inverseColumn("cover", position: nil))
    #expect(storage["Book.tags"] == .table(table, end: .source))
    #expect(storage["Tag_.books"] == .table(table, end: .target))
    #expect(schema.linkTables == [table])
  }

  @Test func aLinkTableCarriesItsEntityAndRelationship() throws {
    let table = try #require(try schema().linkTables.first)

    #expect(table.name == "_moho_Book_tags")
    #expect([table.source, table.relationship, table.target] == ["Book", "tags", "Tag_"])
    #expect(table.table.columnNames == ["source", "target", "target_position"])
    #expect(ReservedName.relationship(ofLinkTable: table.name, in: "Book") == "tags")
    #expect(ReservedName.relationship(ofLinkTable: table.name, in: "Tag_") == nil)
  }

  @Test func aTableHasAttributesThenLinksWithTheirPositions() throws {
    let book = try schema().requireEntity("Book")

    #expect(book.columnNames == ["isbn", "shelf", "cover"])
    #expect(book.table.columnNames == ["isbn", "shelf", "_moho_position_shelf", "cover"])
    #expect(book.table.linkColumns == [1, 3])
    #expect(book.table.identityColumn == "_moho_id")
    #expect(book.linkColumns.map(\.slot) == [0, 1])
  }

  @Test func theIdentityIsTheRequiredIntegerThatIsUnique() throws {
    let schema = try schema()

    #expect(try schema.requireEntity("Shelf").isKeyedByIdentity)
    #expect(try schema.requireEntity("Shelf").identityColumn == "id")
    #expect(try !schema.requireEntity("Book").isKeyedByIdentity)
    #expect(try schema.requireEntity("Book").identifying == [.attribute(0)])
  }

  @Test func anEntityReadFromAnotherTableKeepsItsLinks() throws {
    let schema = try Schema([
      Entity(
        "Book", attributes: [Attribute("id", .int64)],
        relationships: [.toMany("tags", "Tag"), .toMany("parts", "Part", inverse: "book")],
        unique: [["id"]]),
      Entity("Tag", attributes: []),
      Entity("Part", attributes: [], relationships: [.toOne("book", "Book")]),
    ]).redirecting("Book", to: "old books").compiled
    let book = try schema.requireEntity("Book")

    #expect(book.name == "old books")
    #expect(schema.linkTables.map(\.name) == ["_moho_Book_tags"])
    #expect(book.relationship("parts")?.storage == .inverseColumn("book", position: nil))
    #expect(schema.entity("Part")?.relationship("book")?.destination == book.index)
  }
}
