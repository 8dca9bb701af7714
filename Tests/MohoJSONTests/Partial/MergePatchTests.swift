import Foundation
import MohoJSON
import MohoMapping
import Testing

private struct Post: MappedModel, Equatable {
  var id: Int
  var title: String
  var summary: String?
  var thumbnail: String?
  var width: Int
  var tags: [String]

  static let mapping = Mapping(
    "Post", Post.init,
    .key("id", \.id, .unique),
    .key("title", \.title),
    .key("summary", \.summary, json: "description"),
    .key("thumbnail", \.thumbnail, json: "image.url"),
    .key("width", \.width, json: "image.width", default: 100),
    .key("tags", \.tags, default: [String]()))
}

@Suite struct MergePatchTests {
  private let adapter = JSONAdapter<Post>()
  private let old = Post(
    id: 1, title: "Lava", summary: "hot", thumbnail: "a", width: 5, tags: ["x"])

  @Test func absentNullAndValueAreThreeThings() throws {
    let patch = try adapter.partial(
      from: Data(#"{"title":"Ash","description":null,"image":{"width":7},"other":1}"#.utf8))

    #expect(patch.keys.map(\.name) == ["title", "summary", "width"])
    #expect(
      patch.applied(to: old)
        == Post(id: 1, title: "Ash", summary: nil, thumbnail: "a", width: 7, tags: ["x"]))
  }

  @Test func anEmptyPatchChangesNothing() throws {
    #expect(try adapter.partial(from: Data("{}".utf8)).applied(to: old) == old)
    #expect(try adapter.mergePatch(from: old, to: old) == Data("{}".utf8))
  }

  @Test func patchesHaveDifferencesAndNullForRemovedValues() throws {
    var new = old
    new.title = "Ash"
    new.summary = nil
    new.thumbnail = "b"

    let patch = try adapter.mergePatch(from: old, to: new)

    #expect(
      String(decoding: patch, as: UTF8.self)
        == #"{"title":"Ash","description":null,"image":{"url":"b"}}"#)
    #expect(try adapter.partial(from: patch).applied(to: old) == new)
  }

  @Test func everyPairOfModelsIsBridgedByItsPatch() throws {
    var models: [Post] = []
    for summary in [nil, "s"] {
      for thumbnail in [nil, "t", "u"] {
        for width in [100, 5] {
          for tags in [[], ["a", "b"]] {
            models.append(
              Post(
                id: models.count % 3, title: "\(width)", summary: summary, thumbnail: thumbnail,
                width: width, tags: tags))
          }
        }
      }
    }

    for old in models {
      for new in models {
        let patch = try adapter.mergePatch(from: old, to: new)
        #expect(try adapter.partial(from: patch).applied(to: old) == new)
      }
    }
  }

  @Test func allErrorsOfAPatchHaveTheirPositions() throws {
    let error = #expect(throws: MappingError.self) {
      try adapter.partial(from: Data(#"{"id":null,"image":{"width":"x"},"tags":[1]}"#.utf8))
    }

    #expect(
      error?.description == """
        unexpected null: null, expected integer - `Post.id` at /id, 1:7
        invalid type: string "x", expected integer - `Post.width` at /image/width, 1:29
        invalid type: number 1, expected string - `Post.tags` at /tags/0, 1:42
        """)
  }
}
