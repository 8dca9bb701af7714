import MohoChanges
import Testing

@Suite struct SectionUnionTests {
  @Test func oldSectionsAreFoundByTheirNewIndexes() {
    // A B C D → B X Y D
    let union = SectionUnion([
      SectionChange(kind: .delete, key: .text("A"), index: 0),
      SectionChange(kind: .delete, key: .text("C"), index: 2),
      SectionChange(kind: .insert, key: .text("X"), index: 1),
      SectionChange(kind: .insert, key: .text("Y"), index: 2),
    ])

    #expect((0...3).map(union.oldIndex(ofNew:)) == [1, nil, nil, 3])
  }
}
