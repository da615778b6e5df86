import { sql } from 'kysely'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import type { Instant } from '#core/time/instant.ts'
import { prepareLongRead } from '#server/platform/database/long-read.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { countBooks, type LedgerMismatch, type SumsUntil } from '#server/ledger/reconciliation/count-ledger.queries.ts'

export interface LedgerReport {
  readonly clean: boolean
  readonly users: number
  readonly transfers: number
  readonly openOrders: number
  /** Sum of all accounts, users' and house's; zero in a sound ledger. */
  readonly sumOfAll: bigint
  /** What each house account holds (negative: the house paid out more than it took in), from the transfers alone. */
  readonly house: ReadonlyMap<string, bigint>
  /** The same of every account there is, those of all users added up. */
  readonly accounts: ReadonlyMap<string, bigint>
  readonly unknownAccounts: readonly string[]
  readonly mismatches: readonly LedgerMismatch[]
  /** The sums it went on from. Null where every transfer there is was read. */
  readonly sums: ReportSums | null
}

/** Sums of earlier checks: of all transfers before `until`, each read once since everything was read last, at `wholeAt`. */
export interface ReportSums {
  readonly until: Instant
  readonly wholeAt: Instant
}

export interface LedgerScope {
  /** Only what is newer than these sums is read. */
  readonly from: (ReportSums & SumsUntil) | null
  /** The run that keeps what was read and is older than its `until`. */
  readonly into: SumsUntil | null
}

const EVERYTHING: LedgerScope = { from: null, into: null }
const ACCOUNTS: readonly string[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS]

/**
 * Reads everything and checks the ledger's invariants: cached balance = sum of transfers for every user account, all accounts
 * together = 0, stakes at risk = sum of open orders, what is held for withdrawals = sum of the pending ones, and what each
 * user's orders took and brought = the transfers for it, so that there is none without an order. All is read in one
 * snapshot, so it is exact while orders run.
 */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return db.transaction().setIsolationLevel('repeatable read').execute(checkLedgerIn)
}

/**
 * The same in a transaction of the caller's, which has to see one snapshot. What the caller asks in it afterwards may take as
 * long, too. With a `scope` it goes on from sums, or keeps them: see `checkBooks`. Then all figures are the same as if
 * everything had been read, unless somebody has changed what the sums were made of.
 */
export async function checkLedgerIn(tx: Tx, scope = EVERYTHING): Promise<LedgerReport> {
  // Sums were written since anything was known of them: what looks like a few rows may be all users, compared one by one.
  await prepareLongRead(tx, { enable_nestloop: 'off' })
  const { totals, mismatches } = await countBooks(tx, scope)
  const users = await sql<{ users: bigint; cached: bigint }>`
        select count(*) as users, coalesce(sum(cash + staked + withdrawing + credits), 0)::int8 as cached
        from balance`.execute(tx)
  const open = await sql<{ orders: bigint }>`select count(*) as orders from open_order`.execute(tx)

  const accounts = new Map(totals.map(({ account, total }) => [account, total]))
  const house = new Map([...accounts].filter(([account]) => account.startsWith('house:')))
  const houseTotal = [...house.values()].reduce((sum, total) => sum + total, 0n)
  const sumOfAll = (users.rows[0]?.cached ?? 0n) + houseTotal
  const unknownAccounts = [...accounts.keys()].filter((account) => !ACCOUNTS.includes(account))
  return {
    clean: mismatches.length === 0 && sumOfAll === 0n && unknownAccounts.length === 0,
    users: Number(users.rows[0]?.users ?? 0n),
    transfers: Number(totals.reduce((sum, { transfers }) => sum + transfers, 0n)),
    openOrders: Number(open.rows[0]?.orders ?? 0n),
    sumOfAll,
    house,
    accounts,
    unknownAccounts,
    mismatches,
    sums: scope.from && { until: scope.from.until, wholeAt: scope.from.wholeAt },
  }
}
