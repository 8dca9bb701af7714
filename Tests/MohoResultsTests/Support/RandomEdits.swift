import MohoMapping
import MohoRows
import MohoTesting

/// Random edits of books and related rows in a context.
struct RandomEdits {
  private var generator: SeededGenerator
  private var nextID = 100

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func oneIn(_ count: Int) -> Bool { generator.oneIn(count) }

  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[generator.below(elements.count)]
  }

  /// Performs a random action on a context and returns its description. Rolls the
  /// context back if the action throws.
  mutating func edit(_ context: EditingContext) -> String {
    do {
      return try performRandomEdit(context)
    } catch {
      context.rollback()
      return "rollback after \(error)"
    }
  }

  private mutating func performRandomEdit(_ context: EditingContext) throws -> String {
    switch generator.below(40) {
    case 0..<5:
      context.undo()
      return "undo"
    case 5..<8:
      context.redo()
      return "redo"
    case 8..<11:
      context.conflictPolicy = [.error, .storeWins, .contextWins][generator.below(3)]
      try context.save()
      return "save"
    case 11:
      context.rollback()
      return "rollback"
    case 12 where generator.oneIn(3):
      context.reset()
      return "reset"
    case 13, 14:
      guard let book = try row("Book", in: context) else { return "nothing" }
      let keeps = generator.oneIn(2)
      try context.refresh(book, keepingChanges: keeps)
      return "refresh \(book)"
    case 15..<18: return try insertBook(in: context)
    case 18..<21:
      guard let book = try row("Book", in: context) else { return "nothing" }
      try context.delete(book)
      return "delete \(book)"
    case 21:
      guard let shelf = try row("Shelf", in: context) else { return "nothing" }
      try shelf.set("rank", to: small)
      return "rank of \(shelf)"
    case 22:
      guard let shelf = try row("Shelf", in: context) else { return "nothing" }
      try context.delete(shelf)
      return "delete \(shelf)"
    case 23, 24:
      guard let chapter = try row("Chapter", in: context) else { return "nothing" }
      try chapter.set("length", to: number)
      return "length of \(chapter)"
    case 25:
      guard let book = try row("Book", in: context), let tag = try row("Tag", in: context) else {
        return "nothing"
      }
      let isTagged = try book.relatedRows("tags").contains(tag)
      try isTagged ? book.remove(tag, from: "tags") : book.add(tag, to: "tags")
      return "tag \(tag) of \(book)"
    case 26:
      guard let book = try row("Book", in: context) else { return "nothing" }
      let shelf = generator.oneIn(3) ? nil : try row("Shelf", in: context)
      try book.setRelatedRow("shelf", to: shelf)
      return "shelf of \(book)"
    default:
      guard let book = try row("Book", in: context) else { return "nothing" }
      return try editBook(book)
    }
  }

  private mutating func insertBook(in context: EditingContext) throws -> String {
    let id = nextID
    nextID += 1
    let (isComplete, text, count, genre) = (!generator.oneIn(6), title, number, genre)
    let book = try context.undoGroup {
      let book = try context.insert(Book.self).row
      try book.set("id", to: id)
      if isComplete {
        try book.set("title", to: text)
        try book.set("pages", to: count)
        try book.set("genre", to: genre)
      }
      return book
    }
    return "insert \(book)"
  }

  private mutating func editBook(_ book: ManagedRow) throws -> String {
    switch generator.below(5) {
    case 0: try book.set("title", to: title)
    case 1: try book.set("genre", to: genre)
    case 2:
      let (text, count) = (title, number)
      try book.context.undoGroup {
        try book.set("title", to: text)
        try book.set("pages", to: count)
      }
    default: try book.set("pages", to: number)
    }
    return "edit \(book)"
  }

  private mutating func row(_ entity: String, in context: EditingContext) throws -> ManagedRow? {
    try context.fetch(entity).randomElement(using: &generator)
  }

  private var number: Int { mutating get { generator.below(30) } }
  private var small: Int { mutating get { 1 + generator.below(5) } }
  private var title: String {
    mutating get { RandomBooks.titles[generator.below(RandomBooks.titles.count)] }
  }
  private var genre: String? {
    mutating get { [nil, "poetry", "crime", "Crime"][generator.below(4)] }
  }
}
