import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TermsEntry, TermsPart } from '#core/markets/terms/terms-entry.ts'
import { assert } from '#core/result.ts'
import { instant } from '#core/time/instant.ts'
import { addEntries, lockedHistory } from '#server/market-data/catalogue/announce-terms.ts'
import type { Db } from '#server/platform/database/tables.ts'

type Terms = Pick<TermsEntry, 'what' | 'of' | 'value'>

const DURATION_PARTS: readonly TermsPart[] = ['duration', 'payout', 'min_stake', 'max_stake']

/**
 * Puts terms into force without notice, as the owner of the tables. The database refuses the same to the server's role.
 */
export async function forceTerms(db: Db, terms: readonly Terms[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`set local role none`.execute(tx)
    await sql`alter table terms_entry disable trigger terms_entry_checked`.execute(tx)
    const { newest } = await lockedHistory(tx)
    assert(newest, 'the installation has its first terms')
    const at = newest.announcedAt
    const list = terms.map((one) => ({ ...one, announcedAt: at, appliesAt: at }))
    await addEntries({ newId: randomUUID, now: () => instant(Date.now()) }, tx, list)
    await sql`alter table terms_entry enable trigger terms_entry_checked`.execute(tx)
  })
}

/**
 * Changes the seconds of an offered duration, even to fewer than a site may offer. Only for a database that no server
 * uses.
 */
export async function setDuration(db: Db, id: number, seconds: number): Promise<void> {
  const { rows } = await sql<{ seconds: number }>`select seconds from trade_setting where id = ${id}`.execute(db)
  const of = String(rows[0]?.seconds)
  const history = await db.transaction().execute(lockedHistory)
  await db.transaction().execute(async (tx) => {
    await sql`set local role none`.execute(tx)
    await sql`update trade_setting set seconds = ${seconds} where id = ${id}`.execute(tx)
  })
  const parts = DURATION_PARTS.map((what) => ({
    what,
    of: String(seconds),
    value: history.steps(what, of)[0]?.value ?? '',
  }))
  await forceTerms(db, [...parts, { what: 'duration', of, value: 'withdrawn' }])
}
