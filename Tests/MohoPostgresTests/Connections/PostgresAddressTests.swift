import MohoPostgres
import Testing

@Suite struct PostgresAddressTests {
  @Test(arguments: [
    ("postgresql://host/db", true), (" POSTGRES:db", true), ("mysql:/host/db?x=y", true),
    ("mysql://host:x1/db", true), ("https://host:x1/feed", true), ("https://host:80/feed", false),
    ("ftp://host:80/feed", true), ("ftp://:secret", true), ("c:/folder?x=y", false),
    ("9y:/folder?x=y", false), ("file:/folder?x=y", false), ("folder/user:x@y", true),
    ("./user:x@y", false), ("episodes.sqlite", false),
  ])
  func addressesAreDistinguishedFromPaths(text: String, isAddress: Bool) {
    #expect(PostgresAddress.isAddress(text) == isAddress)
  }

  @Test(arguments: [
    ("postgresql://localhost:5432/feeds", "postgresql://localhost:5432/feeds"),
    ("postgresql://host.test:5432/feeds", "postgresql://host.test:5432/feeds"),
    ("postgresql://user:12345/feeds", "postgresql://user/feeds"),
  ])
  func aPortThatCanBeAPasswordIsNotShown(text: String, shown: String) throws {
    let address = try PostgresAddress(text)

    #expect("\(address)" == shown)
  }
}
