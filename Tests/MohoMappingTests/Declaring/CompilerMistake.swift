/// A mistake in a declaration, and the first error of the compiler.
struct CompilerMistake {
  let name: String
  /// The line of the error in the code, from 1.
  let line: Int
  /// The text of the error.
  let text: String
  let code: String

  init(_ name: String, line: Int, _ text: String, _ code: String) {
    self.name = name
    self.line = line
    self.text = text
    self.code = code
  }

  /// The declarations that the code of all mistakes uses.
  static let common = #"""
    import MohoMapping
    struct User: Sendable { var login: String }
    struct Fine: MappedModel {
      var title: String
      var note: String?
      static let mapping = Mapping(
        "Fine", Fine.init, .key("title", \.title), .key("note", \.note))
    }
    struct Token: Sendable {
      var id: Int
      private var secret: Int
    }
    final class Box { var count = 0 }
    """#

  static let all = declarations + relations + values

  /// Mistakes in the declarations of single keys.
  private static let declarations = [
    CompilerMistake(
      "an import is missing", line: 3,
      "cannot find type 'Date' in scope",
      #"""
      struct Visit: MappedModel {
        var id: Int
        var date: Date
        static let mapping = Mapping(
          "Visit", Visit.init,
          .key("id", \.id),
          .key("date", \.date))
      }
      """#),
    CompilerMistake(
      "the initializer is private", line: 3,
      "'Token' initializer is inaccessible due to 'private' protection level",
      #"""
      extension Token: MappedModel {
        static let mapping = Mapping(
          "Token", Token.init,
          .key("id", \.id))
      }
      """#),
    CompilerMistake(
      "a key is missing", line: 6,
      "missing argument for parameter #4 in call",
      #"""
      struct Pair: MappedModel {
        var id: Int
        var title: String
        static let mapping = Mapping(
          "Pair", Pair.init,
          .key("id", \.id))
      }
      """#),
    CompilerMistake(
      "there are too many keys", line: 6,
      "extra argument in call",
      #"""
      struct One: MappedModel {
        var id: Int
        static let mapping = Mapping(
          "One", One.init,
          .key("id", \.id),
          .key("other", \.id))
      }
      """#),
    CompilerMistake(
      "keys of different types are swapped", line: 6,
      "cannot convert value of type 'KeyPath<Swap, String>' to expected argument type "
        + "'KeyPath<Swap, Int>'",
      #"""
      struct Swap: MappedModel {
        var id: Int
        var title: String
        static let mapping = Mapping(
          "Swap", Swap.init,
          .key("title", \.title),
          .key("id", \.id))
      }
      """#),
    CompilerMistake(
      "a property is misspelled", line: 7,
      "value of type 'Typo' has no member 'titel'",
      #"""
      struct Typo: MappedModel {
        var id: Int
        var title: String
        static let mapping = Mapping(
          "Typo", Typo.init,
          .key("id", \.id),
          .key("title", \.titel))
      }
      """#),
    CompilerMistake(
      "a key path is of another model", line: 7,
      "cannot convert value of type 'KeyPath<Fine, String>' to expected argument type "
        + "'KeyPath<Other, String>'",
      #"""
      struct Other: MappedModel {
        var id: Int
        var title: String
        static let mapping = Mapping(
          "Other", Other.init,
          .key("id", \.id),
          .key("title", \Fine.title))
      }
      """#),
    CompilerMistake(
      "a transform is of another type", line: 7,
      "type 'KeyTraits' has no member 'iso8601'",
      #"""
      struct Timed: MappedModel {
        var id: Int
        var title: String
        static let mapping = Mapping(
          "Timed", Timed.init,
          .key("id", \.id),
          .key("title", \.title, .iso8601))
      }
      """#),
    CompilerMistake(
      "a transient property has no default", line: 7,
      "missing argument for parameter 'default' in call",
      #"""
      struct Row: MappedModel {
        var id: Int
        var isOpen: Bool
        static let mapping = Mapping(
          "Row", Row.init,
          .key("id", \.id),
          .transient(\.isOpen))
      }
      """#),
    CompilerMistake(
      "a default is of another type", line: 7,
      "cannot convert value of type 'Int' to expected argument type 'String'",
      #"""
      struct Named: MappedModel {
        var id: Int
        var title: String
        static let mapping = Mapping(
          "Named", Named.init,
          .key("id", \.id),
          .key("title", \.title, default: 0))
      }
      """#),
    CompilerMistake(
      "a property is not Sendable", line: 3,
      "stored property 'box' of 'Sendable'-conforming struct 'Boxed' has non-Sendable type "
        + "'Box'",
      #"""
      struct Boxed: MappedModel {
        var id: Int
        var box = Box()
        static let mapping = Mapping(
          "Boxed", { Boxed(id: $0) },
          .key("id", \.id))
      }
      """#),
    CompilerMistake(
      "static is missing", line: 4,
      "'Unstatic' cannot be constructed because it has no accessible initializers",
      #"""
      struct Unstatic: MappedModel {
        var id: Int
        let mapping = Mapping(
          "Unstatic", Unstatic.init,
          .key("id", \.id))
      }
      """#),
    CompilerMistake(
      "the mapping is a variable", line: 3,
      "static property 'mapping' is not concurrency-safe because it is nonisolated global "
        + "shared mutable state",
      #"""
      struct Variable: MappedModel {
        var id: Int
        static var mapping = Mapping(
          "Variable", Variable.init,
          .key("id", \.id))
      }
      """#),
    CompilerMistake(
      "a type has no standard form", line: 7,
      "referencing static method 'key(_:_:json:alternatives:default:_:)' on 'KeyMapping' "
        + "requires that 'User' conform to 'FieldValue'",
      #"""
      struct Owned: MappedModel {
        var id: Int
        var owner: User
        static let mapping = Mapping(
          "Owned", Owned.init,
          .key("id", \.id),
          .key("owner", \.owner))
      }
      """#),
    CompilerMistake(
      "a trait is misspelled", line: 5,
      "type 'KeyTraits' has no member 'uniqe'",
      #"""
      struct Trait: MappedModel {
        var id: Int
        static let mapping = Mapping(
          "Trait", Trait.init,
          .key("id", \.id, .uniqe))
      }
      """#),
    CompilerMistake(
      "an argument is in the wrong place", line: 5,
      "argument 'json' must precede unnamed argument #3",
      #"""
      struct Order: MappedModel {
        var id: Int
        static let mapping = Mapping(
          "Order", Order.init,
          .key("id", \.id, .unique, json: "ID"))
      }
      """#),
  ]
}
