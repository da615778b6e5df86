/** Rows by their place, the lowest first. Null: the row has disappeared, and its place is free. */
export type RowPlaces<Row extends string> = readonly (Row | null)[]

/**
 * Returns where each row is. A row keeps its place as long as it is shown, so another row that appears or disappears
 * does not move it under the user's thumb. A new row takes the lowest free place. A free place keeps its height.
 */
export function placeRows<Row extends string>(before: RowPlaces<Row>, shown: readonly Row[]): RowPlaces<Row> {
  const places = before.map((row) => (row !== null && shown.includes(row) ? row : null))
  for (const row of shown) {
    if (places.includes(row)) continue
    const free = places.indexOf(null)
    places[free === -1 ? places.length : free] = row
  }
  const isSame = places.length === before.length && places.every((row, at) => row === before[at])
  return isSame ? before : places
}
