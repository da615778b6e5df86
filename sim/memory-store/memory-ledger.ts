import { HOUSE_ACCOUNTS, USER_ACCOUNTS } from '#core/ledger/account.ts'
import type { LedgerReport } from '#server/ledger/reconciliation/check-ledger.ts'
import type { LedgerMismatch } from '#server/ledger/reconciliation/count-ledger.queries.ts'
import { bigOf } from './cells.ts'
import type { MemoryDatabase } from './memory-database.ts'
import type { Row } from './specs.ts'

const KNOWN: readonly string[] = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS]
const PENDING = 2

/** `checkLedger` on the memory store. */
export function checkMemoryLedger(database: MemoryDatabase): LedgerReport {
  const accounts = new Map<string, bigint>()
  const counted = new Map<string, Map<string, bigint>>()
  const transfers = database.rows('transfer')
  const add = (userId: string, what: string, amount: bigint) => {
    const own = counted.get(userId) ?? new Map<string, bigint>()
    counted.set(userId, own)
    own.set(what, (own.get(what) ?? 0n) + amount)
  }
  for (const row of transfers) {
    for (const [column, sign] of [['to_account', 1n] as const, ['from_account', -1n] as const]) {
      const account = String(row[column])
      const amount = sign * (row['amount'] as bigint)
      accounts.set(account, (accounts.get(account) ?? 0n) + amount)
      if (!account.startsWith('house:')) add(String(row['user_id']), account, amount)
    }
  }
  const open = database.rows('open_order')
  for (const row of open) {
    add(String(row['user_id']), 'stakes', row['stake'] as bigint)
    add(String(row['user_id']), 'open_orders', 1n)
  }
  for (const row of database.rows('withdrawal')) {
    if (row['status'] === PENDING) add(String(row['user_id']), 'withdrawals', row['amount'] as bigint)
  }
  const balances = new Map(database.rows('balance').map((row) => [String(row['user_id']), row]))
  const mismatches = [...new Set([...balances.keys(), ...counted.keys()])]
    .toSorted()
    .flatMap((userId) => compare(userId, balances.get(userId), counted.get(userId) ?? new Map()))
    .slice(0, 100)
  const cached = [...balances.values()].reduce((sum, row) => sum + totalOf(row), 0n)
  const house = new Map([...accounts].filter(([account]) => account.startsWith('house:')))
  const sumOfAll = [...house.values()].reduce((sum, total) => sum + total, cached)
  const unknownAccounts = [...accounts.keys()].filter((account) => !KNOWN.includes(account))
  return {
    clean: mismatches.length === 0 && sumOfAll === 0n && unknownAccounts.length === 0,
    users: balances.size,
    transfers: transfers.length,
    openOrders: open.length,
    sumOfAll,
    house,
    accounts,
    unknownAccounts,
    mismatches,
    sums: null,
  }
}

const COMPARED: readonly (readonly [LedgerMismatch['what'], string, string])[] = [
  ['cash', 'cash', 'cash'],
  ['credits', 'credits', 'credits'],
  ['open_orders', 'open_orders', 'open_orders'],
  ['staked', 'staked', 'staked'],
  ['stakes', 'staked', 'stakes'],
  ['withdrawals', 'withdrawing', 'withdrawals'],
  ['withdrawing', 'withdrawing', 'withdrawing'],
]

function compare(userId: string, balance: Row | undefined, counted: ReadonlyMap<string, bigint>): LedgerMismatch[] {
  return COMPARED.flatMap(([what, column, name]) => {
    const found = {
      userId,
      what,
      cached: bigOf(balance, column),
      counted: counted.get(name) ?? 0n,
    }
    return found.cached === found.counted ? [] : [found]
  })
}

function totalOf(row: Row): bigint {
  return USER_ACCOUNTS.reduce((sum, account) => sum + (row[account] as bigint), 0n)
}
