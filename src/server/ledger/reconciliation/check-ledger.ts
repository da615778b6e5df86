import { sql } from 'kysely'
import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import type { Instant } from '#core/time/instant.ts'
import { prepareLongRead } from '#server/platform/database/long-read.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import {
  countLedger,
  type LedgerMismatch,
  PRACTICE_PREFIX,
  type SumsUntil,
} from '#server/ledger/reconciliation/count-ledger.queries.ts'

export interface LedgerReport {
  readonly clean: boolean
  readonly users: number
  readonly transfers: number
  readonly openOrders: number
  /**
   * Sum of all accounts of users and the house: of money, or of practice when only that sum is not zero. Zero in a
   * correct ledger.
   */
  readonly sumOfAll: bigint
  /**
   * Balance of each house account from the transfers alone. A negative balance means that the house paid out more than
   * it received.
   */
  readonly house: ReadonlyMap<string, bigint>
  /** Balance of every account of money from the transfers alone; accounts of users are added up by kind. */
  readonly accounts: ReadonlyMap<string, bigint>
  readonly unknownAccounts: readonly string[]
  readonly mismatches: readonly LedgerMismatch[]
  /** The sums that the check started from. Null when it read every transfer. */
  readonly sums: ReportSums | null
}

/**
 * Sums over all transfers before `until`, which earlier checks stored. The last full read was at `wholeAt`. Since then,
 * checks have read each new transfer once.
 */
export interface ReportSums {
  readonly until: Instant
  readonly wholeAt: Instant
}

export interface LedgerScope {
  /** The sums from which the check starts, so that it reads only newer rows. */
  readonly from: (ReportSums & SumsUntil) | null
  /** The run to which the check adds the rows it read, if they are older than the run's `until`. */
  readonly into: SumsUntil | null
}

const EVERYTHING: LedgerScope = { from: null, into: null }
const ACCOUNTS: readonly string[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS]

/**
 * Reads everything and checks the ledger's invariants:
 * - the cached balance of every user account = the sum of its transfers
 * - all accounts together = 0: those of money, and those of practice
 * - stakes at risk = the sum of open orders
 * - money held for withdrawals = the sum of pending withdrawals
 * - stakes and payouts of each user's orders = the transfers for them, so that no transfer lacks an order
 *
 * All is read in one snapshot, so the result is exact while orders run.
 */
export async function checkLedger(db: Db): Promise<LedgerReport> {
  return db.transaction().setIsolationLevel('repeatable read').execute(checkLedgerIn)
}

/**
 * Checks the ledger within the caller's transaction, which must read from one snapshot. It raises the statement
 * timeout, also for the caller's later statements. With a `scope`, the check starts from stored sums or stores them:
 * see `reconcile`. All figures then equal the figures of a full read, unless data that is already in the sums was
 * changed later.
 */
export async function checkLedgerIn(tx: Tx, scope = EVERYTHING): Promise<LedgerReport> {
  // The database statistics of the sum tables may be outdated. The planner may then expect few rows although all users
  // are read. It would choose a nested loop that compares users one by one.
  await prepareLongRead(tx, { enable_nestloop: 'off' })
  const { totals, mismatches } = await countLedger(tx, scope)
  const { rows } = await sql<{ is_practice: boolean; users: bigint; cached: bigint }>`
        select currency = 'PRACTICE' as is_practice, count(*) as users,
          coalesce(sum(cash + staked + withdrawing + credits), 0)::int8 as cached
        from balance group by 1`.execute(tx)
  const users = rows.find((row) => !row.is_practice)
  const open = await sql<{ orders: bigint }>`select count(*) as orders from open_order`.execute(tx)

  const accounts = new Map(totals.filter((one) => !isOfPractice(one)).map(({ account, total }) => [account, total]))
  const house = new Map([...accounts].filter(([account]) => account.startsWith('house:')))
  const practice = totals.filter(isOfPractice).map(({ account, total }) => ({
    account: account.slice(PRACTICE_PREFIX.length),
    total,
  }))
  const ofHouse = practice.filter(({ account }) => account.startsWith('house:'))
  const sumOfMoney = sumOf([...house.values()], users?.cached)
  const sumOfPractice = sumOf(
    ofHouse.map(({ total }) => total),
    rows.find((row) => row.is_practice)?.cached,
  )
  const sumOfAll = sumOfMoney === 0n ? sumOfPractice : sumOfMoney
  const unknownAccounts = [...accounts.keys(), ...practice.map(({ account }) => account)].filter(
    (account) => !ACCOUNTS.includes(account),
  )
  return {
    clean: mismatches.length === 0 && sumOfAll === 0n && unknownAccounts.length === 0,
    users: Number(users?.users ?? 0n),
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

function isOfPractice({ account }: { readonly account: string }): boolean {
  return account.startsWith(PRACTICE_PREFIX)
}

function sumOf(amounts: readonly bigint[], start = 0n): bigint {
  return amounts.reduce((sum, amount) => sum + amount, start)
}
