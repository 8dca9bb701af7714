extension Checkout {
  /// Removes what the test targets do not need from the package.
  static func manifestSuffix(_ targets: [String]) -> String {
    """


    func names(of dependencies: [Target.Dependency]) -> [String] {
      dependencies.compactMap {
        switch $0 {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
      }
    }

    var needed: Set<String> = []
    var pending: [String] = \(targets)
    while let name = pending.popLast() {
      guard needed.insert(name).inserted else { continue }
      let target = package.targets.first { $0.name == name }
      pending += names(of: target?.dependencies ?? [])
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []

    """
  }

  /// The switches of a module.
  ///
  /// `MOHO_MUTANT` is the number of the mutant that is on. With `MOHO_MUTANTS_REACHED`, the
  /// path of a file, no mutant is on, and byte n of the file becomes 1 when the code of mutant
  /// n is executed, also if the process crashes or is one of several.
  static let switches = """
    #if canImport(Darwin)
      internal import Darwin
    #else
      internal import Glibc
    #endif

    enum MohoMutant {
      private static let number = getenv("MOHO_MUTANT").flatMap { atoi($0) } ?? 0

      private static let size = 1 << 16

      nonisolated(unsafe) private static let reached: UnsafeMutablePointer<UInt8>? = {
        guard let path = getenv("MOHO_MUTANTS_REACHED") else { return nil }
        let file = open(path, O_RDWR)
        guard file >= 0,
          let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
          memory != UnsafeMutableRawPointer(bitPattern: -1)
        else { return nil }
        close(file)
        return memory.assumingMemoryBound(to: UInt8.self)
      }()

      @inline(never)
      static func isOn(_ mutant: Int) -> Bool {
        if let reached { reached[mutant] = 1 }
        return number == Int32(truncatingIfNeeded: mutant)
      }
    }

    """
}
