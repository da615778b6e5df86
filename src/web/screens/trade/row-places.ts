/** Rows by their place, the lowest first. Null: the row has gone, and its place is free. */
export type RowPlaces<Row extends string> = readonly (Row | null)[]

/**
 * Returns where each row is. A row keeps its place as long as it is shown, so that it does not move under the user's
 * thumb when another row comes or goes. A new row takes the lowest free place. The room of a place stays.
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
