/** The kinds of shapes, and how many points each of them needs. */
export const DRAWING_KINDS = { horizontal: 1, trend: 2 } as const
export type DrawingKind = keyof typeof DRAWING_KINDS

export interface DrawingPoint {
  readonly time_ms: number
  /** Decimal text in the decimals of the symbol. */
  readonly price: string
}

/** A shape that the user drew on the chart of a symbol. It belongs to no interval and has no effect on orders. */
export interface Drawing {
  readonly id: string
  readonly symbol: string
  readonly kind: DrawingKind
  readonly points: readonly DrawingPoint[]
  /** 1 to 5. */
  readonly colour: number
}

export const DRAWING_COLOURS = 5
/** 50 per symbol: more drawings would make the chart unreadable. */
export const MAX_DRAWINGS_OF_SYMBOL = 50
/** 500 per user: this many drawings are about 100 KB. */
export const MAX_DRAWINGS = 500
export const PRICE_TEXT = /^\d{1,12}(\.\d{1,12})?$/
/** The largest time, in milliseconds before or after 1970, that a Date can hold. */
export const MAX_TIME_MS = 8.64e15

export function isPriceText(text: string, decimals = 12): boolean {
  return PRICE_TEXT.test(text) && (text.split('.')[1]?.length ?? 0) <= decimals
}

/** Parses a stored drawing. Returns null for any other value. Unknown fields are dropped. */
export function readDrawing(value: unknown): Drawing | null {
  if (typeof value !== 'object' || value === null) return null
  const { id, symbol, kind, points, colour } = value as Record<string, unknown>
  if (typeof id !== 'string' || typeof symbol !== 'string' || !isKind(kind) || !Array.isArray(points)) return null
  const read = points.map(readPoint).filter((point) => point !== null)
  if (points.length !== DRAWING_KINDS[kind] || read.length !== points.length) return null
  const isColour = Number.isInteger(colour) && Number(colour) >= 1 && Number(colour) <= DRAWING_COLOURS
  return { id, symbol, kind, points: read, colour: isColour ? Number(colour) : 1 }
}

function isKind(value: unknown): value is DrawingKind {
  return typeof value === 'string' && Object.hasOwn(DRAWING_KINDS, value)
}

function readPoint(value: unknown): DrawingPoint | null {
  if (typeof value !== 'object' || value === null) return null
  const { time_ms: time, price } = value as Record<string, unknown>
  if (typeof time !== 'number' || !(Math.abs(time) <= MAX_TIME_MS)) return null
  return typeof price === 'string' && isPriceText(price) ? { time_ms: Math.round(time), price } : null
}

/**
 * Merges the changes that `local` made since `common` into `stored`, drawing by drawing. Drawings from storage may have
 * their fields in another order, which is no change.
 */
export function joinDrawings(
  common: readonly Drawing[],
  local: readonly Drawing[],
  stored: readonly Drawing[],
): readonly Drawing[] {
  const [before, now, joined] = [byId(common), byId(local), byId(stored)]
  for (const [id, one] of now) if (JSON.stringify(one) !== JSON.stringify(before.get(id))) joined.set(id, one)
  for (const id of before.keys()) if (!now.has(id)) joined.delete(id)
  return [...joined.values()].slice(-MAX_DRAWINGS_OF_SYMBOL)
}

/** The drawings by id, each with its fields in the order of `readDrawing`. */
const byId = (drawings: readonly Drawing[]) =>
  new Map(
    drawings
      .map(readDrawing)
      .filter((one) => one !== null)
      .map((one) => [one.id, one]),
  )
