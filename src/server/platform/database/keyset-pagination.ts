import { type RawBuilder, sql } from 'kysely'
import type { Cursor } from '#server/platform/database/cursor.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** SQL condition for rows after `[time, id]` in a list with the newest first. A forged cursor matches no rows. */
export function beforeCursor(after: Cursor | null, time: RawBuilder<unknown>, id: RawBuilder<unknown>) {
  const [at, lastId] = after ?? []
  if (!Number.isSafeInteger(at) || typeof lastId !== 'string' || !isUuid(lastId)) return sql<boolean>`false`
  return sql<boolean>`(${time}, ${id}) < (${at}::int8, ${lastId}::uuid)`
}
