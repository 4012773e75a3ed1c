/** The cost of two neighbouring letters in the wrong order, which is the most frequent typing error. */
const swapped = 0.75

/**
 * The Damerau-Levenshtein distance of two words (optimal string alignment): a missing, added or wrong letter costs 1, two
 * swapped neighbours 0.75. Infinite if it is more than `most`.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwap) cost = Math.min(cost, (before[column - 2] ?? 0) + swapped)
      current.push(cost)
    }
    if (Math.min(...current) > most) return Number.POSITIVE_INFINITY
    before = last
    last = current
  }
  const distance = last[other.length] ?? 0
  return distance > most ? Number.POSITIVE_INFINITY : distance
}
