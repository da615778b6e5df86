import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Owed, totalLiability } from '#core/proof/liability.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { checkLedgerIn } from '#server/ledger/reconciliation/check-ledger.ts'

export interface OwedAccount extends Owed {
  readonly userId: string
}

export interface OwedToAll {
  readonly snapshotAt: Instant
  readonly accounts: readonly OwedAccount[]
  readonly total: bigint
}

const ROWS_AT_ONCE = 2_000

/**
 * Reads the liability to each account in one snapshot while orders run, and reconciles it with the ledger in that
 * snapshot. It compares both the single accounts and the sum of the transfers. Returns null on a mismatch, and the
 * caller must then publish nothing.
 */
export function readLiabilities(ctx: Pick<Ctx, 'db' | 'now'>): Promise<OwedToAll | null> {
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const snapshotAt = ctx.now()
      const ledger = await checkLedgerIn(tx)
      const accounts: OwedAccount[] = []
      for await (const account of eachAccount(tx)) accounts.push(account)
      const total = accounts.reduce((sum, account) => sum + totalLiability(account), 0n)
      const inBooks = ['cash', 'staked', 'withdrawing'].reduce(
        (sum, name) => sum + (ledger.accounts.get(name) ?? 0n),
        0n,
      )
      return ledger.clean && total === inBooks ? { snapshotAt, accounts, total } : null
    })
}

async function* eachAccount(tx: Tx): AsyncGenerator<OwedAccount> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await tx
      .selectFrom('balance')
      .select(['user_id as userId', 'cash', 'staked', 'withdrawing'])
      .where('currency', '=', BASE_CURRENCY)
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(ROWS_AT_ONCE)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = last.userId
  }
}
