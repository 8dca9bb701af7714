import Campaigns
import Foundation
import MohoJSON
import MohoMapping
import Testing

/// ``ScanFuzzTests`` for arrays of many objects.
@Suite struct TrackFuzzTests {
  private let scanning = JSONAdapter<ScannedTrack>()
  private let parsing = JSONAdapter<ScannedTrack>().withoutFastPath

  @Test func tracksAreReadAlike() throws {
    for seed in Campaign.scanSeeds where seed.isMultiple(of: 10) {
      var random = RandomTracks(seed: seed)
      var text = random.array()
      if seed.isMultiple(of: 3) {
        var mutations = RandomShow(seed: seed)
        text = mutations.mutation(of: text)
      }
      let data = Data(exactly: text)
      #expect(
        Verdict { try scanning.lossyModels(from: data) }
          == Verdict { try parsing.lossyModels(from: data) },
        "seed \(seed): \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// The encoded text distinguishes 0 and -0.
  @Test func tracksAreReadToTheSameBits() throws {
    for seed in Campaign.scanSeeds where seed.isMultiple(of: 100) {
      var random = RandomTracks(seed: seed)
      let data = Data(random.array())
      guard let models = try? parsing.models(from: data) else { continue }
      #expect(
        try scanning.text(from: scanning.models(from: data)) == parsing.text(from: models),
        "seed \(seed)")
    }
  }

  /// Without this test, all objects could take the diagnostic path unnoticed.
  @Test func mostDocumentsTakeTheFastPath() throws {
    var (count, scannedCount) = (0, 0)
    for seed in UInt64(0)..<400 {
      var random = RandomTracks(seed: seed)
      _ = try? scanning.fields(from: Data(random.array())).forEach { fields in
        count += 1
        if fields is any UTF8Source { scannedCount += 1 }
      } _: { _ in
      }
    }
    #expect(count > 1_000)
    #expect(Double(scannedCount) > Double(count) * 0.9, "\(scannedCount) of \(count)")
  }
}
