import type { Account } from '#core/ledger/account.ts'
import { netChanges, type Transfer } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'

/** The sum of all transfers from one account to another. */
export type Flow = Pick<Transfer, 'from' | 'to' | 'amount'>

/** The sums of a statement: `opening + deposits - withdrawals - charges + won - lost + corrections = closing`. */
export interface StatementSums {
  readonly opening: Money
  readonly deposits: Money
  /**
   * Withdrawals and charges, minus returned amounts. Negative when more money of earlier periods was returned than was
   * paid out.
   */
  readonly withdrawals: Money
  readonly charges: Money
  readonly won: Money
  readonly lost: Money
  /** Adjustments: added minus taken money. Negative when more was taken than added. */
  readonly corrections: Money
  readonly closing: Money
}

export const STATEMENT_PARTS = ['deposits', 'withdrawals', 'charges', 'won', 'lost', 'corrections'] as const
/** The parts that cannot be negative in any period, because they only grow over time. */
export const GROWING_PARTS = ['deposits', 'won', 'lost'] as const

export interface StatementFlows {
  /** The flows before the period, within it and after it. */
  readonly before: readonly Flow[]
  readonly within: readonly Flow[]
  readonly after: readonly Flow[]
}

/**
 * Proves the sums of a statement. The opening total is counted forward from the first transfer and backward from the
 * cached balance, and the rows must lead from it to the closing total. Returns null when any of these totals differ.
 */
export function proveSums(
  { before, within, after }: StatementFlows,
  { balance, rows }: { readonly balance: Money; readonly rows: Money },
): StatementSums | null {
  const sums = { opening: totalChange(before), ...partsOf(within), closing: money(balance - totalChange(after)) }
  const isSame = sums.opening === balance - totalChange(after) - totalChange(within)
  return isSame && addUp(sums) && sums.opening + rows === sums.closing ? sums : null
}

/** Whether the opening total and the parts make the closing total. */
export function addUp({
  opening,
  deposits,
  withdrawals,
  charges,
  won,
  lost,
  corrections,
  closing,
}: StatementSums): boolean {
  return opening + deposits - withdrawals - charges + won - lost + corrections === closing
}

/** Sums up how flows change a user's account total: cash, stakes of open orders and money held for withdrawals. */
function totalChange(flows: readonly Flow[]): Money {
  const { cash, staked, withdrawing } = netChanges(flows)
  return money(cash + staked + withdrawing)
}

function partsOf(flows: readonly Flow[]): Omit<StatementSums, 'opening' | 'closing'> {
  const between = (from: Account, to: Account): Money =>
    money(flows.reduce((sum, flow) => (flow.from === from && flow.to === to ? sum + flow.amount : sum), 0n))
  return {
    deposits: between('house:deposits', 'cash'),
    withdrawals: money(between('withdrawing', 'house:withdrawals') - between('house:withdrawals', 'cash')),
    charges: money(between('withdrawing', 'house:fees') - between('house:fees', 'cash')),
    // `won` includes sales: the house pays the price of the sale and takes the fee at the same time.
    won: money(between('house:trading', 'cash') - between('cash', 'house:fees')),
    lost: between('staked', 'house:trading'),
    corrections: money(between('house:corrections', 'cash') - between('cash', 'house:corrections')),
  }
}
