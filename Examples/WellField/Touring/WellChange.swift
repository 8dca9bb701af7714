import Foundation
import Moho

/// A sample change of wells.
struct WellChange {
  let name: String
  let write: (StoreWriter) throws -> Void

  /// A change of each kind, and a change of many wells.
  static func samples(in snapshot: ResultsSnapshot<Well>) throws -> [WellChange] {
    guard snapshot.count > 4 else { return [] }
    func well(_ fraction: Double) throws -> Well {
      try snapshot.model(at: RowPath(section: 0, row: Int(Double(snapshot.count - 1) * fraction)))
    }
    var (last, middle) = (try well(1), try well(0.5))
    let filledIn = try well(0.25)
    let depth = try well(0).depth
    let new = Well(
      id: .max, name: "Moho 1-1", county: "Lake", depth: middle.depth, begunOn: middle.begunOn,
      isActive: true)
    last.depth = depth + 1
    last.name = "Deepest"
    middle.isActive.toggle()
    let step = max(1, snapshot.count / 1_000)
    return [
      WellChange(name: "deepen and rename the shallowest well") { try $0.save(last) },
      WellChange(name: "change a well in the middle") { try $0.save(middle) },
      WellChange(name: "drill a well") { try $0.save(new) },
      WellChange(name: "fill in a well") { try $0.delete([filledIn]) },
      WellChange(name: step == 1 ? "deepen every well" : "deepen one well in \(step)") { writer in
        let ids = stride(from: step, through: snapshot.count, by: step)
        var wells = try writer.reader.fetch(
          ModelRequest<Well>().filter { $0.id.isOne(of: ids) })
        for index in wells.indices { wells[index].depth += 100 }
        try writer.save(wells)
      },
    ]
  }
}
