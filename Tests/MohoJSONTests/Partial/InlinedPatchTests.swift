import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Meta: MappedModel, Equatable {
  var author: String
  var others: [String: JSONValue]

  static let mapping = Mapping(
    "Meta", Meta.init, .key("author", \.author), .unknown("others", \.others))
}

private struct Post: MappedModel, Equatable {
  var id: Int
  var meta: Meta

  static let mapping = Mapping("Post", Post.init, .key("id", \.id), .inlined("meta", \.meta))
}

private struct Draft: MappedModel, Equatable {
  var id: Int
  var meta: Meta?

  static let mapping = Mapping("Draft", Draft.init, .key("id", \.id), .inlined("meta", \.meta))
}

/// Merge patches of inlined models and variants that receive unknown members.
@Suite struct InlinedPatchTests {
  @Test func aDifferenceOfOtherKeysKeepsTheUnknownMembersOfARow() throws {
    let members: [String: JSONValue] = ["x": 1, "n": nil]
    let post = Post(id: 1, meta: Meta(author: "a", others: members))
    var (edited, stored) = (post, post)
    edited.meta.author = "b"
    stored.meta.others = ["x": 1, "y": 2]

    let difference = Partial(from: post, to: edited)

    #expect(
      difference.applied(to: stored)
        == Post(id: 1, meta: Meta(author: "b", others: ["x": 1, "y": 2])))
    #expect(difference.applied(to: post) == edited)
    #expect(try JSONAdapter<Post>().text(from: difference) == #"{"author":"b"}"#)

    let drafts = (Draft(id: 1, meta: post.meta), Draft(id: 1, meta: edited.meta))
    #expect(
      Partial(from: drafts.0, to: drafts.1).applied(to: Draft(id: 1, meta: stored.meta))
        == Draft(id: 1, meta: Meta(author: "b", others: ["x": 1, "y": 2])))
    let none = Draft(id: 1)
    #expect(Partial(from: none, to: drafts.0).applied(to: none) == drafts.0)
    #expect(Partial(from: drafts.0, to: none).applied(to: drafts.1) == none)
  }

  @Test func aDifferenceOfAVariantKeepsTheUnknownMembersOfARow() throws {
    func figure(_ radius: Int, _ rest: JSONValue) -> Unknown.Figure {
      Unknown.Figure(id: 1, shape: .circle(Unknown.Circle(radius: radius, rest: rest)))
    }
    let (old, new) = (figure(2, ["a": 1, "n": nil]), figure(3, ["a": 1, "n": nil]))
    let adapter = JSONAdapter<Unknown.Figure>()

    let difference = Partial(from: old, to: new)

    #expect(difference.applied(to: figure(2, ["a": 1, "b": 2])) == figure(3, ["a": 1, "b": 2]))
    let patch = try adapter.mergePatch(from: old, to: new)
    #expect(patch.text == #"{"kind":"circle","radius":3}"#)
    #expect(try adapter.partial(from: patch).applied(to: old) == new)
    let square = Unknown.Figure(id: 1, shape: .square(Unknown.Square(side: 1)))
    #expect(Partial(from: old, to: square).applied(to: new) == square)
    #expect(Partial(from: square, to: old).applied(to: square) == old)
  }

  @Test func theLaterOfTwoInlinedModelsIsMerged() throws {
    let posts = JSONAdapter<Post>()
    let post = Post(id: 1, meta: Meta(author: "a", others: ["x": 1]))
    let first = try posts.partial(from: #"{"author":"b","y":2}"#)
    let second = try posts.partial(from: #"{"author":"c","x":null}"#)
    let other = try posts.partial(from: #"{"z":3}"#)

    #expect(
      first.merging(second).applied(to: post)
        == Post(id: 1, meta: Meta(author: "c", others: ["y": 2])))
    #expect(
      first.merging(other).applied(to: post)
        == Post(id: 1, meta: Meta(author: "b", others: ["x": 1, "y": 2, "z": 3])))
  }

  @Test func nullForAnInlinedModelIsWritten() throws {
    let drafts = JSONAdapter<Draft>()
    let draft = Draft(id: 1, meta: Meta(author: "a", others: ["x": 1]))

    let partial = try drafts.partial(from: #"{"id":1,"author":null}"#)

    #expect(partial.applied(to: draft) == Draft(id: 1))
    #expect(partial.description == "Draft(id: 1, meta: null)")
    #expect(try drafts.text(from: partial) == #"{"id":1,"author":null}"#)
    #expect(try drafts.mergePatch(from: draft, to: Draft(id: 1)).text == #"{"author":null}"#)

    let figures = JSONAdapter<Unknown.Figure>()
    let figure = try figures.partial(from: #"{"id":1,"kind":null}"#)
    #expect(figure.description == "Figure(id: 1, shape: null)")
    #expect(try figures.text(from: figure) == #"{"id":1,"kind":null}"#)
  }
}
