/// Returns all permutations of the elements.
func permutations<Element>(of elements: [Element]) -> [[Element]] {
  guard elements.count > 1 else { return [elements] }
  return elements.indices.flatMap { index in
    var rest = elements
    let first = rest.remove(at: index)
    return permutations(of: rest).map { [first] + $0 }
  }
}

/// Returns all subsets of the elements, each in order.
func subsets<Element>(of elements: [Element]) -> [[Element]] {
  (0..<(1 << elements.count)).map { mask in
    elements.indices.filter { mask >> $0 & 1 == 1 }.map { elements[$0] }
  }
}
