/** A vertical range of the screen, in pixels. */
export interface Stretch {
  readonly top: number
  readonly bottom: number
}

/**
 * Returns the top of the lowest position in `within` where a message of `height` covers none of the obstacles. Returns
 * null when there is no such position.
 */
export function freePlace(obstacles: readonly Stretch[], height: number, within: Stretch): number | null {
  let bottom = within.bottom
  // Goes through the elements from the bottom up. An element that overlaps the position moves the position above that
  // element.
  for (const one of obstacles.toSorted((a, b) => b.bottom - a.bottom)) {
    if (one.bottom <= bottom - height) break
    if (one.top < bottom) bottom = Math.min(bottom, one.top)
  }
  return bottom - height >= within.top ? bottom - height : null
}
