import Foundation
import MohoMapping

extension JSONAdapter {
  /// Decodes the elements of an array of a text.
  func elements(
    of data: Data, at path: FieldPath?, stopsAtFirst: Bool
  ) throws -> ElementResults<Model> {
    try checkDeclaration(and: path)
    let path = path ?? FieldPath([])
    // SAFETY: The bytes are used only inside the call.
    let results = try data.withUnsafeBytes { bytes -> ElementResults<Model>? in
      try withScanner { scanner in
        do {
          return try ElementDecoder(self, .array(at: path), scanner)
            .decodeAll(of: bytes, stopsAtFirst: stopsAtFirst)
        } catch is CursorStop {
          return nil
        }
      }
    }
    // An error anywhere in the text takes precedence over a missing array.
    guard let results else { throw missingArray(in: try JSONDocument(parsing: data), at: path) }
    report(results.reports)
    return results
  }

  private func missingArray(in document: JSONDocument, at path: FieldPath) -> any Error {
    document.withRoot { root in
      do {
        _ = try root.value(at: path, kind: .array, from: FieldPath([]), model: mapping.name)
      } catch let error as MappingError {
        return document.located([error]).first ?? error
      } catch {
        return error
      }
      return MappingError(.missingValue, model: mapping.name, path: path)
    }
  }

  /// The part of an error that the policy asks for.
  func wanted(_ error: MappingError) -> MappingError {
    errorPolicy == .first ? error.errors.first ?? error : error
  }
}

extension ElementDecoder {
  fileprivate func decodeAll(
    of bytes: UnsafeRawBufferPointer, stopsAtFirst: Bool
  ) throws -> ElementResults<Model> {
    var results = ElementResults<Model>()
    var step = try walker.next(in: bytes, isLast: true)
    while true {
      switch step {
      case .end:
        return results
      case .element(let element):
        results.count += 1
        let (result, reports) = try decode(element, index: results.count - 1, in: bytes)
        results.reports += reports
        switch result {
        case .success(let model):
          results.models.append(model)
        case .failure(let error):
          results.failures.append(ElementFailure(index: results.count - 1, error: error))
          if stopsAtFirst { return results }
        }
        step = try walker.next(in: bytes, isLast: true)
      case .scanned:
        if results.count >= results.capacity {
          results.reserveCapacity(afterReading: Double(walker.position) / Double(bytes.count))
        }
        step = try decodeScanned(in: bytes, into: &results)
      }
    }
  }

  /// Decodes a scanned element and those that follow it, up to one that is parsed
  /// or exceeds the capacity.
  private func decodeScanned(
    in bytes: UnsafeRawBufferPointer, into results: inout ElementResults<Model>
  ) throws -> ElementWalker.Step {
    guard let scanner else { return .end }
    var step = ElementWalker.Step.scanned
    var isFirst = true
    do {
      try adapter.mapping.read(into: &results.models, from: scanner.fields) {
        if !isFirst {
          guard !scanner.hasGivenUp else { return false }
          step = try walker.next(in: bytes, isLast: true)
        }
        guard case .scanned = step, isFirst || results.count < results.capacity else {
          return false
        }
        isFirst = false
        results.count += 1
        return true
      }
      guard scanner.hasGivenUp else { return step }
    } catch let stop as CursorStop {
      throw stop
    } catch {
      // The diagnostic path reports what is wrong, if anything is.
    }
    results.count -= 1
    results.models.removeLast(results.models.count + results.failures.count - results.count)
    walker.goBack()
    return try walker.next(in: bytes, isLast: true)
  }
}
