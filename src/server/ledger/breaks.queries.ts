import { sql } from 'kysely'
import { type Break, type BreakKind, COOLING_MS } from '#core/accounts/self-limits.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A break with its id. Whether it is over, and whether the user can return, follow from the clock of the database. */
export interface StoredBreak extends Break {
  readonly id: string
  readonly isOver: boolean
  /** True once 24 hours have passed since the user asked to return. */
  readonly canReturn: boolean
  /**
   * The reason that a staff member wrote when entering the break at the user's request. Null when no staff member
   * entered it.
   */
  readonly words: string | null
}

/** Finds the break that the user chose and that still blocks orders and deposits. Null when there is none. */
export async function findBreak(db: Db, userId: string): Promise<StoredBreak | null> {
  const { rows } = await sql<{
    id: string
    kind: BreakKind
    from_ms: bigint
    until_ms: bigint
    asked_ms: bigint | null
    is_over: boolean
    can_return: boolean
    words: string | null
  }>`
    select b.*, b.until_ms <= now.ms as is_over, coalesce(b.asked_ms + ${COOLING_MS}::int8 <= now.ms, false) as can_return,
      (select words from self_break s where s.user_id = ${userId} and s.id = b.id) as words
    from break_of(${userId}) b, (select extract(epoch from clock_timestamp()) * 1000 as ms) now`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    id: row.id,
    kind: row.kind,
    from: instant(row.from_ms),
    until: instant(row.until_ms),
    requestedAt: row.asked_ms === null ? null : instant(row.asked_ms),
    isOver: row.is_over,
    canReturn: row.can_return,
    words: row.words,
  }
}
