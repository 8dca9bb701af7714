/// A question that users ask, and the workloads that answer it.
struct Question {
  /// A workload on the page.
  struct Row {
    let number: String
    let title: String
    /// The contender of Moho. `nil` for the one that others are compared with.
    var own: String?
    /// Whether sizes are compared, not times.
    var isSize = false
  }

  let title: String
  let rows: [Row]
  /// What the reader must know about the rows.
  var note: String?

  init(_ title: String, note: String? = nil, _ rows: Row...) {
    self.title = title
    self.note = note
    self.rows = rows
  }

  private static func time(_ number: String, _ title: String, _ own: String? = nil) -> Row {
    Row(number: number, title: title, own: own)
  }

  private static func size(_ number: String, _ title: String, _ own: String? = nil) -> Row {
    Row(number: number, title: title, own: own, isSize: true)
  }

  /// The page. Each row names a workload of a run with the usual options.
  static let all = [
    Question(
      "How fast is a real API?",
      note: "Statuses of a microblog: boosts, polls, attachments of five types, cards, tags, "
        + "emojis, HTML, and unknown members that are written back.",
      time("W0", "decode statuses"),
      time("W0", "encode statuses"),
      time("W0", "import statuses into a new store"),
      time("W0", "import the same statuses again"),
      time("W0", "import the statuses again, 1 % changed"),
      time("W0", "fetch all statuses with their relations"),
      time("W0", "fetch the 40 newest statuses with their relations"),
      time("W0", "save one changed status while a list is observed"),
      time("W0", "decode a page of 40 statuses"),
      time("W0", "encode a page of 40 statuses"),
      time("W0", "import a page of 40 statuses into a new store"),
      time("W0", "import the same page of 40 statuses again")),
    Question(
      "How fast is JSON decoded?",
      time("W1", "decode episodes of 13 values"),
      time("W1", "decode a timeline, 20 of 180 values per post"),
      time("W1", "decode outlines of 1000 numbers")),
    Question(
      "How fast are models encoded?",
      time("W2", "encode episodes of 13 values")),
    Question(
      "How fast is an import into an empty store?",
      time("W3", "decode and save episodes, into an empty table"),
      time("W3", "save episodes, into an empty table"),
      time("W3", "100000 rows imported into 244292, observed")),
    Question(
      "How fast is the same import again?",
      time("W3", "save episodes, all rows already stored"),
      time("W3", "save episodes, all rows already stored, every tenth changed")),
    Question(
      "How fast are models fetched?",
      time("W4", "fetch rows of 13 columns into models")),
    Question(
      "How soon is the first page of a list visible?",
      time("W5", "first page, newest first"),
      time("W5", "first page, longest first, without an index"),
      time("W10", "first page, in sections by show"),
      time("W6", "page of 50, random pages")),
    Question(
      "What does one change cost while a list is observed?",
      note: "The times include the write.",
      time("W7", "one row, newest first, content"),
      time("W7", "one row, newest first, far move"),
      time("W14", "an observed count, a value that the count reads")),
    Question(
      "What do a thousand changes cost?",
      time("W8", "1000 rows moved and changed in one transaction"),
      time("W11", "save 10000 rows of a context, 2 of 13 columns changed")),
    Question(
      "What does one change cost with many lists?",
      time("W13", "100 controllers, a row in no list"),
      time("W13", "100 controllers, a row in one list")),
    Question(
      "How much memory is used?",
      note: "The memory that the work adds to the process at its peak, or that an idle list takes.",
      size("W1", "decode episodes of 13 values"),
      size("W1", "decode episodes of 13 values", "Moho, streamed from a file"),
      size("W3", "decode and save episodes, into an empty table"),
      size("W5", "memory of an idle controller, newest first")),
    Question(
      "How fast is PostgreSQL?",
      time("W15", "save episodes into PostgreSQL, into an empty table"),
      time("W15", "save episodes into PostgreSQL, all rows already stored"),
      time("W15", "fetch rows of 13 columns from PostgreSQL into models"),
      time("W16", "one-row commit to the change set of another store")),
    Question(
      "How long does a build take?",
      note: "A clean build of a small program and all its dependencies.",
      time("W12", "clean debug build"),
      time("W12", "clean release build")),
  ]
}
