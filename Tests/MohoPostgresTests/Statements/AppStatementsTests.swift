import Testing

@testable import MohoPostgres
@testable import MohoRows

/// The division of SQL texts into statements, which needs no server.
@Suite struct AppStatementsTests {
  /// Texts and their statements, without spaces at both ends.
  static let texts: [(text: String, statements: [String])] = [
    ("", []),
    (" ; /* a */ ; -- b", []),
    ("SELECT 1; SELECT 2;; -- x\n", ["SELECT 1", "SELECT 2"]),
    (#"SELECT ';' AS ";""", 'it''s;'; SELECT 2"#, [#"SELECT ';' AS ";""", 'it''s;'"#, "SELECT 2"]),
    ("SELECT $$a;b$$, $x$;$$;$x$; SELECT 2", ["SELECT $$a;b$$, $x$;$$;$x$", "SELECT 2"]),
    ("SELECT a$1$; SELECT 2", ["SELECT a$1$", "SELECT 2"]),
    ("SELECT é$$;$$; SELECT 2", ["SELECT é$$", "$$; SELECT 2"]),
    (
      #"SELECT E'\';' ; SELECT e'\\'; SELECT 3"#, [#"SELECT E'\';'"#, #"SELECT e'\\'"#, "SELECT 3"]
    ),
    (#"SELECT '\'; SELECT 2"#, [#"SELECT '\'"#, "SELECT 2"]),
    ("SELECT E'a'\n  '\\';b'; SELECT 2", ["SELECT E'a'\n  '\\';b'", "SELECT 2"]),
    ("SELECT E'a' -- b\n '\\';b'; SELECT 2", ["SELECT E'a' -- b\n '\\';b'", "SELECT 2"]),
    ("SELECT 1 /* ; /* ; */ ; */; SELECT 2", ["SELECT 1 /* ; /* ; */ ; */", "SELECT 2"]),
    ("SELECT 1 - -1; -- ; \r SELECT 2", ["SELECT 1 - -1", "-- ; \r SELECT 2"]),
    (
      "SELECT U&'\\0061;', X'1f', 1e5, 0x1F; SELECT 2",
      ["SELECT U&'\\0061;', X'1f', 1e5, 0x1F", "SELECT 2"]
    ),
    (
      "CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b); SELECT 2",
      ["CREATE RULE r AS ON INSERT TO t DO (DELETE FROM a; DELETE FROM b)", "SELECT 2"]
    ),
    (
      "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END; SELECT 3",
      [
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END",
        "SELECT 3",
      ]
    ),
    (
      "create or replace procedure p() begin atomic delete from t; end; SELECT 2",
      ["create or replace procedure p() begin atomic delete from t; end", "SELECT 2"]
    ),
    (
      "CREATE FUNCTION f(begin int) RETURNS int LANGUAGE sql AS 'SELECT 1'; SELECT 2",
      ["CREATE FUNCTION f(begin int) RETURNS int LANGUAGE sql AS 'SELECT 1'", "SELECT 2"]
    ),
    (
      "SELECT CASE WHEN true THEN 1 END; SELECT 2",
      ["SELECT CASE WHEN true THEN 1 END", "SELECT 2"]
    ),
    ("SELECT 'a; SELECT 2", ["SELECT 'a; SELECT 2"]),
    ("SELECT $a$; SELECT 2", ["SELECT $a$; SELECT 2"]),
    ("SELECT E'\\", ["SELECT E'\\"]),
    ("SELECT \"a; SELECT 2", ["SELECT \"a; SELECT 2"]),
    (#"SELECT $E'\';'; SELECT 2"#, [#"SELECT $E'\';'"#, "SELECT 2"]),
    ("$", ["$"]),
    ("$a", ["$a"]),
  ]

  @Test(arguments: texts.indices) func `a text is divided at semicolons outside of others`(
    index: Int
  ) throws {
    let (text, expected) = Self.texts[index]

    let statements = try AppStatements(AppSQL(text)).statements

    #expect(statements.map(\.sql.trimmed) == expected)
  }

  @Test func `backslashes escape characters in all texts if the server is set so`() throws {
    let sql = try AppSQL(#"SELECT '\'; SELECT '"#)

    #expect(try AppStatements(sql).statements.count == 2)
    #expect(try AppStatements(sql, escapesAllTexts: true).statements.count == 1)
  }

  @Test func `parameters are counted outside of texts, names and comments`() throws {
    let sql = try AppSQL(
      #"SELECT $2, a$3, "$4", '$5', $$ $6 $$ /* $7 */ -- $8"# + "\n; SELECT $1", arguments: 2)

    let statements = try AppStatements(sql).statements

    #expect(statements.map(\.parameters) == [[2], [1]])
    #expect(statements.map(\.parameterCount) == [2, 1])
    for count in [0, 1, 3] {
      let sql = try AppSQL(sql.text, arguments: count)
      #expect(throws: StoreError.self) { try AppStatements(sql) }
    }
  }

  /// Statements with the names in the error.
  static let controls: [(sql: String, name: String)] = [
    ("BEGIN", "BEGIN"), ("START TRANSACTION", "START TRANSACTION"), ("commit and chain", "COMMIT"),
    ("END", "COMMIT"), ("ABORT", "ROLLBACK"), ("ROLLBACK PREPARED 'a'", "ROLLBACK"),
    ("SAVEPOINT a", "SAVEPOINT"), ("RELEASE a", "RELEASE"),
    ("PREPARE TRANSACTION 'a'", "PREPARE TRANSACTION"), ("PREPARE a AS SELECT 1", "PREPARE"),
    ("EXECUTE a", "EXECUTE"), ("DEALLOCATE ALL", "DEALLOCATE"),
    ("SET TRANSACTION READ ONLY", "SET TRANSACTION"),
    ("SET LOCAL TRANSACTION READ ONLY", "SET TRANSACTION"),
    ("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", "SET"),
    ("SET LOCAL SESSION AUTHORIZATION a", "SET"), ("SET search_path = a", "SET"),
    (#"SET "search_path" = a"#, "SET"), ("RESET ALL", "RESET"), ("DISCARD ALL", "DISCARD"),
    ("LISTEN a", "LISTEN"), ("UNLISTEN *", "UNLISTEN"), ("COPY a FROM STDIN", "COPY"),
    ("copy (SELECT 1) TO '/tmp/a'", "COPY"), ("LOAD 'a'", "LOAD"),
    ("DECLARE a CURSOR FOR SELECT 1", "DECLARE"), ("FETCH a", "FETCH"), ("MOVE a", "MOVE"),
    ("CLOSE ALL", "CLOSE"), ("/* /* */ */\n--\n SELECT 1; \u{B}\u{C}LISTEN a", "LISTEN"),
    ("CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END; COMMIT", "COMMIT"),
  ]

  @Test(arguments: controls) func `a statement that controls the connection is named`(
    sql: String, name: String
  ) throws {
    let error = #expect(throws: StoreError.self) { try AppStatements(AppSQL(sql)) }

    #expect(error?.code == .invalidRequest)
    #expect(error?.subject == "`\(name)`")
    #expect(error?.suggestion?.contains("`PostgresConfiguration`") == true)
  }

  @Test(arguments: [
    "SET LOCAL work_mem = '1MB'", "SET CONSTRAINTS ALL DEFERRED", #"SET LOCAL "a.b" = 1"#,
    "NOTIFY a", "LOCK TABLE a", #""COMMIT""#, "SELECT commit FROM a", "DO $$ BEGIN COMMIT; END $$",
    "(SELECT 1)", "UPDATE a SET begin = 1", "CALL commit()",
  ])
  func `other statements are sent`(sql: String) throws {
    #expect(try AppStatements(AppSQL(sql)).statements.map(\.sql) == [sql])
  }

  @Test(arguments: [
    ("WITH a AS (SELECT 1) INSERT INTO b SELECT * FROM a", true),
    ("WITH a AS (SELECT insert FROM b) SELECT * FROM a", false), ("INSERT INTO b VALUES (1)", true),
    ("SELECT update FROM b", false),
  ])
  func `a statement seems to change rows by words outside of parentheses`(
    sql: String, seemsToChangeRows: Bool
  ) throws {
    let statements = try AppStatements(AppSQL(sql)).statements

    #expect(statements.map(\.seemsToChangeRows) == [seemsToChangeRows])
  }
}

extension AppSQL {
  fileprivate init(_ text: String, arguments count: Int) throws {
    try self.init(text, (0..<count).map { $0 })
  }
}
