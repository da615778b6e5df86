/** The columns of a row as JSON. Amounts of the simulations fit into numbers. */
export type SeenColumns = Readonly<Record<string, string | number | boolean | null | object>>

/** A row that was written to the database, in the order of the commits. */
export interface SeenRow {
  readonly n: number
  /** The virtual time of the statement. */
  readonly at: number
  readonly table: string
  readonly before: SeenColumns | null
  readonly after: SeenColumns | null
}

/** The text of a column. Empty when the column has none. */
export function textIn(columns: SeenColumns, name: string): string {
  const value = columns[name]
  return typeof value === 'string' ? value : ''
}
