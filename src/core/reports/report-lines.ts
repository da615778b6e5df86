import { HOUSE_ACCOUNTS, USER_ACCOUNTS, type Account } from '#core/ledger/account.ts'
import { TRANSFER_KINDS, type TransferKind } from '#core/ledger/transfer-kinds.ts'

/**
 * The lines of a report, in their order. An amount is positive when money moved in the direction that the name of the
 * line says.
 */
export const REPORT_LINES = [
  'stakes',
  'payouts',
  'stakes_returned',
  'early_sales',
  'house_result',
  'fees_withdrawal',
  'fees_deposit',
  'fees_sale',
  'bonus',
  'adjustments',
  'made_good',
  'money_in',
  'money_out',
  'came_back',
] as const
export type ReportLine = (typeof REPORT_LINES)[number]
export type LineTotals = Readonly<Record<ReportLine, bigint>>

type Parts = Readonly<Partial<Record<ReportLine, 1 | -1>>>

/**
 * The lines to which each kind of transfer is added, and its sign. `house_result` includes the results of orders only.
 * Fees of deposits from before arrivals were kept are not in the ledger. Kinds without a line move money between two
 * accounts of a user.
 */
const LINES_OF: Readonly<Record<TransferKind, Parts>> = {
  order_stake: { stakes: 1 },
  order_win: { payouts: 1 },
  order_profit: { payouts: 1, house_result: -1 },
  order_draw: { stakes_returned: 1 },
  order_void: { stakes_returned: 1 },
  order_lose: { house_result: 1 },
  order_sold: { house_result: 1 },
  order_sale: { early_sales: 1, house_result: -1 },
  order_sale_fee: { fees_sale: 1 },
  make_good: { made_good: 1 },
  deposit: { money_in: 1 },
  deposit_fee: { money_in: 1, fees_deposit: 1 },
  demo_funds: { money_in: 1 },
  withdrawal_request: {},
  withdrawal_paid: { money_out: 1 },
  withdrawal_rejected: {},
  withdrawal_cancelled: {},
  withdrawal_failed: {},
  withdrawal_fee: { fees_withdrawal: 1 },
  withdrawal_returned: { came_back: 1 },
  withdrawal_fee_returned: { fees_withdrawal: -1 },
  correction_in: { adjustments: 1 },
  correction_out: { adjustments: -1 },
  beginner_task: { bonus: 1 },
  credits_lapsed: { bonus: -1 },
  // Reports are about money only.
  practice_grant: {},
  practice_return: {},
}

/** The total amount of the transfers of one kind. */
export interface KindTotal {
  readonly kind: string
  readonly amount: bigint
}

/** Adds up the lines of a report. Ignores kinds that the ledger does not have. */
export function lineTotals(totals: readonly KindTotal[]): LineTotals {
  const sums = Object.fromEntries(REPORT_LINES.map((line) => [line, 0n])) as Record<ReportLine, bigint>
  for (const { kind, amount } of totals) {
    if (!isKind(kind)) continue
    const parts: Parts = LINES_OF[kind]
    for (const line of REPORT_LINES) sums[line] += amount * BigInt(parts[line] ?? 0)
  }
  return sums
}

export type Positions = Readonly<Record<Account, bigint>>
const ALL_ACCOUNTS = [...USER_ACCOUNTS, ...HOUSE_ACCOUNTS] as const
type MoneyAccount = Exclude<Account, 'house:practice'>
/** The accounts of money. Practice accounts are in no report. */
export const REPORT_ACCOUNTS: readonly MoneyAccount[] = ALL_ACCOUNTS.filter((account) => account !== 'house:practice')

/** Computes the balance that each account has after all transfers until an instant. */
export function positionsOf(totals: readonly KindTotal[]): Positions {
  const sums = Object.fromEntries(ALL_ACCOUNTS.map((account) => [account, 0n])) as Record<Account, bigint>
  for (const { kind, amount } of totals) {
    if (!isKind(kind)) continue
    const { from, to } = TRANSFER_KINDS[kind]
    sums[from] -= amount
    sums[to] += amount
  }
  return sums
}

function isKind(kind: string): kind is TransferKind {
  return Object.hasOwn(TRANSFER_KINDS, kind)
}
