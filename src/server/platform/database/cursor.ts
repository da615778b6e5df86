import { z } from 'zod'

/** The position in a list: the sort columns of the last row that was read. */
export type CursorValue = string | number | boolean | null
export type Cursor = readonly CursorValue[]

const Values = z.array(z.union([z.string().max(200), z.number(), z.boolean(), z.null()])).max(6)

export function writeCursor(values: Cursor): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** Parses a cursor; null when it is invalid. */
export function readCursor(text: string): Cursor | null {
  try {
    return Values.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data ?? null
  } catch {
    // Not JSON: typed by hand or cut off.
    return null
  }
}
