/** A stretch of the screen from top to bottom, in pixels. */
export interface Stretch {
  readonly top: number
  readonly bottom: number
}

/**
 * Finds where a message of `height` covers none of `taken`: the place nearest to the bottom of `within`. Without such a
 * place the answer is null.
 */
export function freePlace(taken: readonly Stretch[], height: number, within: Stretch): number | null {
  let bottom = within.bottom
  // From the bottom up: whatever reaches into the place moves it above itself.
  for (const one of taken.toSorted((a, b) => b.bottom - a.bottom)) {
    if (one.bottom <= bottom - height) break
    if (one.top < bottom) bottom = Math.min(bottom, one.top)
  }
  return bottom - height >= within.top ? bottom - height : null
}
