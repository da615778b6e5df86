/**
 * One requirement of the product. Tests name it by its id, at the beginning of their title or of their group: `SC4: …`.
 */
export interface Row {
  readonly id: string
  /** The route, call, rule, text or attack that the row describes. */
  readonly about: string
  readonly says: string
}

/** A chapter of the table. */
export interface Chapter {
  readonly title: string
  readonly rows: readonly Row[]
}

export function row(id: string, about: string, says = ''): Row {
  return { id, about, says }
}

/** Returns the ids at the beginning of a title: `['SC4', 'F38']` for `SC4, F38: shows …`. */
export function idsOf(title: string): readonly string[] {
  return /^([A-Z]{1,2}\d+(?:\.\d+)?(?:, [A-Z]{1,2}\d+(?:\.\d+)?)*): /.exec(title)?.[1]?.split(', ') ?? []
}
