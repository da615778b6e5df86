import { sql } from 'kysely'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface TermsRow {
  readonly id: number
  readonly seconds: number
  readonly unit: string
  readonly min_amount: bigint
  readonly max_amount: bigint
  readonly is_offered: boolean
  readonly version: number
}

/** The fields of trade terms for the audit log. */
export function recordedTerms({ seconds, min_amount: minimum, max_amount: maximum, is_offered: isOffered }: TermsRow) {
  return { seconds, min_amount: String(minimum), max_amount: String(maximum), is_offered: isOffered }
}

/** The name of an order duration in the audit log. */
export const termsTarget = (id: number): string => `order length ${id}`
/** The name of the payouts of a duration in the audit log. Payouts have their own versions. */
export const payoutTarget = (id: number): string => `payout of order length ${id}`

export async function listTerms(db: Db, afterSeconds: number | null, limit: number): Promise<TermsRow[]> {
  const rows = await db
    .selectFrom('trade_setting')
    .selectAll()
    .$if(afterSeconds !== null, (all) => all.where('seconds', '>', Number(afterSeconds)))
    .orderBy('seconds')
    .limit(limit)
    .execute()
  return rows
}

/** Announced payouts, of one duration or all, newest first. `after` holds moment, duration and version. */
export async function listPayouts(db: Db, termsId: number | null, after: Cursor | null, limit: number) {
  return await db
    .selectFrom('payout_version as p')
    .innerJoin('trade_setting as t', 't.id', 'p.trade_setting_id')
    .selectAll('p')
    .select('t.seconds')
    .$if(termsId !== null, (all) => all.where('p.trade_setting_id', '=', Number(termsId)))
    .$if(after !== null, (all) => {
      const [at, id, version] = (after ?? []).map(Number)
      const place = sql`(${at}::int8, ${id}::int4, ${version}::int4)`
      return all.where(sql<boolean>`(p.announced_ms, p.trade_setting_id, p.version) < ${place}`)
    })
    .orderBy('p.announced_ms', 'desc')
    .orderBy('p.trade_setting_id', 'desc')
    .orderBy('p.version', 'desc')
    .limit(limit)
    .execute()
}

/** Every payout of these durations, by duration. */
export async function payoutsOf(db: Db, terms: readonly { readonly id: number }[]) {
  const ids = terms.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db.selectFrom('payout_version').selectAll().where('trade_setting_id', 'in', ids).execute()
  return new Map(ids.map((id) => [id, rows.filter((row) => row.trade_setting_id === id)]))
}

/** The amounts of the order form's buttons, smallest first. */
export async function listQuickAmounts(db: Db, after: bigint | null, limit: number) {
  return await db
    .selectFrom('quick_amount')
    .selectAll()
    .$if(after !== null, (all) => all.where('amount', '>', after ?? 0n))
    .orderBy('amount')
    .limit(limit)
    .execute()
}

export async function lockTerms(tx: Tx, id: number): Promise<TermsRow | null> {
  const row = await tx.selectFrom('trade_setting').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ?? null
}

/** Locks all durations, so that two concurrent changes cannot both find one free. Returns whether another entry has this duration. */
export async function isDurationTaken(tx: Tx, seconds: number, exceptId: number | null): Promise<boolean> {
  const rows = await tx.selectFrom('trade_setting').select(['id', 'seconds']).orderBy('id').forUpdate().execute()
  return rows.some((row) => row.seconds === seconds && row.id !== exceptId)
}

export async function newestPayoutVersion(tx: Tx, id: number): Promise<number> {
  const { newest } = await tx
    .selectFrom('payout_version')
    .select(({ fn }) => fn.max('version').as('newest'))
    .where('trade_setting_id', '=', id)
    .executeTakeFirstOrThrow()
  return newest ?? 0
}
