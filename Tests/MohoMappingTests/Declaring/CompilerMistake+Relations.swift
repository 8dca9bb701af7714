extension CompilerMistake {
  /// Mistakes in the declarations of relations.
  static let relations = [
    CompilerMistake(
      "a nested type is not a model", line: 7,
      "'toOne(_:_:json:alternatives:inverse:whenTargetIsDeleted:whenThisIsDeleted:_:)' is "
        + "unavailable: the value of `.toOne` is a `MappedModel`, a `ModelReference`, or an "
        + "optional of either; declare a mapping for the type, or use `.key`",
      #"""
      struct Nested: MappedModel {
        var id: Int
        var owner: User
        static let mapping = Mapping(
          "Nested", Nested.init,
          .key("id", \.id),
          .toOne("owner", \.owner))
      }
      """#),
    CompilerMistake(
      "an optional nested type is not a model", line: 7,
      "'toOne(_:_:json:alternatives:inverse:whenTargetIsDeleted:whenThisIsDeleted:_:)' is "
        + "unavailable: the value of `.toOne` is a `MappedModel`, a `ModelReference`, or an "
        + "optional of either; declare a mapping for the type, or use `.key`",
      #"""
      struct Maybe: MappedModel {
        var id: Int
        var owner: User?
        static let mapping = Mapping(
          "Maybe", Maybe.init,
          .key("id", \.id),
          .toOne("owner", \.owner, whenTargetIsDeleted: .cascade))
      }
      """#),
    CompilerMistake(
      "elements are not models", line: 7,
      "'toMany(_:_:json:alternatives:default:inverse:onDelete:count:linkPolicy:_:)' is "
        + "unavailable: the value of `.toMany` is an array or a set of a `MappedModel` or of a "
        + "`ModelReference`; declare a mapping for the type, or use `.key`",
      #"""
      struct Many: MappedModel {
        var id: Int
        var owners: [User]
        static let mapping = Mapping(
          "Many", Many.init,
          .key("id", \.id),
          .toMany("owners", \.owners, default: []))
      }
      """#),
    CompilerMistake(
      "a delete rule does not name the row", line: 7,
      "'toOne(_:_:json:alternatives:inverse:onDelete:_:)' is unavailable: use "
        + "`whenTargetIsDeleted:` for what happens to this row when the related row is "
        + "deleted, as `ON DELETE` in SQL, or `whenThisIsDeleted:` for what happens to the "
        + "related row when this row is deleted, as the delete rule in Core Data",
      #"""
      struct Rule: MappedModel {
        var id: Int
        var fine: Fine?
        static let mapping = Mapping(
          "Rule", Rule.init,
          .key("id", \.id),
          .toOne("fine", \.fine, onDelete: .cascade))
      }
      """#),
  ]

  /// Mistakes in the use of declared models.
  static let values = [
    CompilerMistake(
      "a required key of a partial model becomes nil", line: 2,
      "'nil' cannot be assigned to subscript of type 'String'",
      #"""
      func setNil(_ partial: inout Partial<Fine>) {
        partial[\.title] = nil
      }
      """#),
    CompilerMistake(
      "an absent key is assigned", line: 2,
      "getter for 'subscript(_:)' is unavailable: an absent key has no value to assign; "
        + "use `merging(_:)` to copy keys",
      #"""
      func copy(_ partial: inout Partial<Fine>) {
        partial[\.note] = partial[\.note]
      }
      """#),
    CompilerMistake(
      "a required key is cleared", line: 2,
      "cannot convert value of type 'KeyPath<Fine, String>' to expected argument type "
        + "'KeyPath<Fine, String?>'",
      #"""
      func clear(_ partial: inout Partial<Fine>) {
        partial.clear(\.title)
      }
      """#),
    CompilerMistake(
      "a key of a condition is misspelled", line: 2,
      "value of type 'ModelKeys<Fine>' has no dynamic member 'titel' using key path from "
        + "root type 'Fine'",
      #"""
      let misspelled = ModelRequest<Fine>().filter {
        $0.titel == "a"
      }
      """#),
    CompilerMistake(
      "a key is compared with another type", line: 2,
      "binary operator '==' cannot be applied to operands of type 'ModelKey<String>' and 'Int'",
      #"""
      let mistyped = ModelRequest<Fine>().filter {
        $0.title == 1
      }
      """#),
  ]
}
