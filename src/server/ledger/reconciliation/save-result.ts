import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { reconcile, type CheckKind } from '#server/ledger/reconciliation/reconcile.ts'
import type { ReconcileOptions } from '#server/ledger/reconciliation/reconcile-options.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'

const Time = z.number().transform(instant)

const Saved = z.object({
  clean: z.boolean(),
  users: z.number(),
  transfers: z.number(),
  openOrders: z.number(),
  sumOfAll: z.coerce.bigint(),
  accounts: z.array(z.tuple([z.string(), z.coerce.bigint()])),
  unknownAccounts: z.array(z.string()),
  mismatches: z.array(
    z.object({ userId: z.string(), what: z.string(), cached: z.coerce.bigint(), counted: z.coerce.bigint() }),
  ),
  // A stored report without `sums` comes from a full read.
  sums: z.object({ until: Time, wholeAt: Time }).nullable().default(null),
})

/** The result of the last check, stored so that pages need not count millions of transfers. */
export interface SavedCheck extends z.output<typeof Saved> {
  readonly checkedAt: Instant
  readonly tookMs: number
}

/** Checks the ledger and stores the result for the pages that show it. */
export async function checkAndSave(ctx: ReconcileOptions, kind: CheckKind): Promise<LedgerReport> {
  const startedAt = ctx.now()
  const report = await reconcile(ctx, kind)
  const row = { checked_ms: startedAt, took_ms: ctx.now() - startedAt, report: writeReport(report) }
  await ctx.db
    .insertInto('ledger_check')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  return report
}

export async function readSavedCheck(db: Db | Tx): Promise<SavedCheck | null> {
  const row = await db.selectFrom('ledger_check').selectAll().where('id', '=', 1).executeTakeFirst()
  if (!row) return null
  return { ...Saved.parse(row.report), checkedAt: instant(row.checked_ms), tookMs: row.took_ms }
}

/**
 * Whether the last check found a mismatch. If so, no money may leave, because the ledger cannot explain all balances.
 */
export async function isLedgerUnclean(db: Db | Tx): Promise<boolean> {
  return (await readSavedCheck(db))?.clean === false
}

function writeReport({ clean, users, transfers, openOrders, sumOfAll, ...report }: LedgerReport): string {
  const { unknownAccounts, mismatches, sums } = report
  const accounts = [...report.accounts]
  const saved = { clean, users, transfers, openOrders, sumOfAll, accounts, unknownAccounts, mismatches, sums }
  return JSON.stringify(saved, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
