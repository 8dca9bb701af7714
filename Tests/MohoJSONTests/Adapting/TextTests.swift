import MohoJSON
import MohoMapping
import Testing

@Suite struct TextTests {
  private let adapter = JSONAdapter<Episode>()

  @Test func modelsAreReadFromTextAndWrittenToIt() throws {
    let text = #"{"id":1,"title":"Été","episode_type":"paid"}"#

    let model = try adapter.model(from: text)

    #expect(model.title == "Été")
    #expect(try adapter.models(from: #"{"items":[\#(text)]}"#, at: "items") == [model])
    #expect(try adapter.model(from: adapter.text(from: model)) == model)
    #expect(try adapter.models(from: adapter.text(from: [model], formatting: .pretty)) == [model])
  }

  @Test func partialModelsAreReadFromTextAndWrittenToIt() throws {
    let partial = try adapter.partial(from: #"{"title":"T"}"#)

    #expect(partial.keys.map(\.name) == ["title"])
    #expect(try adapter.text(from: partial) == #"{"title":"T"}"#)
  }
}
