import type { TradeSettingOut } from '#contract/markets.ts'
import { basisPoints, type Money, money, moneyText, shareHalfEven } from '#core/money/money.ts'
import type { AmountFlaw, ReadAmount } from '#core/money/typed-amount.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import type { LastOrder } from '#web/live/last-orders.ts'
import type { OrderToRepeat } from '#web/live/order-to-repeat.ts'
import { isBelowMinimum, readTyped } from '#web/forms/typed-amount.ts'
import { moneyOf } from '#web/i18n/amounts.ts'

/** The values of the form. `amount` is the typed text, which may be empty or incomplete. */
export interface OrderForm {
  readonly direction: Direction
  readonly settingId: number | null
  readonly amount: string
}

export interface OrderFacts {
  readonly settings: readonly TradeSettingOut[]
  readonly balance: Money
  readonly isOpen: boolean
  /** End of the current session in milliseconds UTC; null if there is none. */
  readonly closesAt: number | null
  /** Milliseconds UTC by the server's clock. */
  readonly now: number
  readonly isAllowed: boolean
  /** Whether the connection works: prices are live, and requests can be sent. */
  readonly isConnected: boolean
  readonly isSubmitting: boolean
  /** The highest stake that the user's own limits allow; null without such limits. */
  readonly ownRoom?: Money | null
}

export type AmountProblem = 'missing' | 'unreadable' | 'insufficient' | 'own_limit' | 'below_minimum' | 'above_maximum'

export interface OrderView {
  readonly setting: TradeSettingOut | null
  readonly stake: Money | null
  /** The amount that a win adds to the stake, rounded as in settlement. */
  readonly profit: Money | null
  /** The share of wins, in percent, at which such orders break even. */
  readonly breakEven: number | null
  readonly problem: AmountProblem | null
  /** Why the text is not an amount, if the problem is `unreadable`. */
  readonly flaw: AmountFlaw | null
  /** Ids of settings whose order would end after the close. */
  readonly closesFirst: ReadonlySet<number>
  readonly maySubmit: boolean
}

/** Returns an empty form with only a direction. */
export function startForm(direction: Direction = BUY): OrderForm {
  return { direction, settingId: null, amount: '' }
}

/** Chooses an expiry and sets the amount to its minimum, as specified. */
export function chooseExpiry(form: OrderForm, setting: TradeSettingOut): OrderForm {
  return { ...form, settingId: setting.id, amount: moneyText(moneyOf(setting.min_amount)) }
}

/** Chooses the first available expiry for a form without one. */
export function withFirstExpiry(form: OrderForm, facts: OrderFacts): OrderForm {
  if (form.settingId !== null) return form
  const first = facts.settings.find((setting) => !outlastsSession(setting, facts))
  return first ? chooseExpiry(form, first) : form
}

/**
 * Fills the form like the last accepted order. If the last stake is no longer possible, the form gets the minimum
 * stake. If the last expiry is no longer offered, or would end after the close, the form does not change. The proposed
 * stake is never higher than the last one or the minimum.
 */
export function recallOrder(form: OrderForm, { settingId, stake }: LastOrder, facts: OrderFacts): OrderForm {
  const setting = facts.settings.find(({ id }) => id === settingId)
  if (setting === undefined || outlastsSession(setting, facts)) return form
  const chosen = chooseExpiry(form, setting)
  return problemOf(stake, setting, facts) === null ? { ...chosen, amount: moneyText(stake) } : chosen
}

/**
 * Fills the form with the terms of a former order. If the former duration is no longer offered, the first duration is
 * chosen, and the other terms are filled in.
 */
export function repeatOrder({ direction, seconds, stake }: OrderToRepeat, facts: OrderFacts): OrderForm {
  const setting = facts.settings.find(({ time }) => time === seconds) ?? facts.settings[0]
  return { direction, settingId: setting?.id ?? null, amount: moneyText(stake) }
}

/** Shares of the balance that the form can offer, in percent. */
export const BALANCE_SHARES = [1, 2, 5, 10] as const

/** A share of the balance as a stake, within the limits of an expiry. */
export interface BalanceShare {
  readonly percent: number
  /** Rounded down to the cent; the maximum stake if the share is above it. */
  readonly stake: Money
  readonly limit: 'below_minimum' | 'above_maximum' | null
}

export function balanceShares(balance: Money, setting: TradeSettingOut): readonly BalanceShare[] {
  const [least, most] = [moneyOf(setting.min_amount), moneyOf(setting.max_amount)]
  return BALANCE_SHARES.map((percent) => {
    const share = money((balance * BigInt(percent)) / 100n)
    if (share < least) return { percent, stake: share, limit: 'below_minimum' }
    return share > most ? { percent, stake: most, limit: 'above_maximum' } : { percent, stake: share, limit: null }
  })
}

/** Derives everything the form shows from its values and the known facts. */
export function readOrderForm(form: OrderForm, facts: OrderFacts): OrderView {
  const setting = facts.settings.find(({ id }) => id === form.settingId) ?? null
  const read = readTyped(form.amount)
  const isTooLow = setting !== null && !read.ok && isBelowMinimum(read, moneyOf(setting.min_amount))
  const flaw = isTooLow ? null : flawOf(read)
  const stake = read.ok && read.amount > 0n ? read.amount : null
  const closesFirst = new Set(facts.settings.filter((one) => outlastsSession(one, facts)).map(({ id }) => id))
  const problem = isTooLow ? 'below_minimum' : flaw === null ? problemOf(stake, setting, facts) : 'unreadable'
  return {
    setting,
    stake,
    profit: setting && stake && shareHalfEven(stake, basisPoints(Math.round(setting.profit_percentage * 100))),
    breakEven: setting && breakEvenOf(setting.profit_percentage),
    problem,
    flaw,
    closesFirst,
    maySubmit:
      facts.isOpen &&
      facts.isAllowed &&
      facts.isConnected &&
      !facts.isSubmitting &&
      setting !== null &&
      !closesFirst.has(setting.id) &&
      problem === null,
  }
}

/** Returns 100 / (100 + payout) in percent: the share of wins at which profits and losses are equal. */
export function breakEvenOf(payout: number): number {
  return (100 * 100) / (100 + payout)
}

function outlastsSession(setting: TradeSettingOut, { closesAt, now }: OrderFacts): boolean {
  return closesAt !== null && now + setting.time * 1000 > closesAt
}

function flawOf(read: ReadAmount): AmountFlaw | null {
  return read.ok || read.flaw === 'empty' ? null : read
}

/**
 * Returns one problem at a time. Own limits and an insufficient balance come first, because no other valid amount would
 * help.
 */
function problemOf(
  stake: Money | null,
  setting: TradeSettingOut | null,
  { balance, ownRoom = null }: OrderFacts,
): AmountProblem | null {
  if (stake === null) return 'missing'
  if (ownRoom !== null && stake > ownRoom) return 'own_limit'
  if (stake > balance) return 'insufficient'
  if (setting === null) return null
  if (stake < moneyOf(setting.min_amount)) return 'below_minimum'
  if (stake > moneyOf(setting.max_amount)) return 'above_maximum'
  return null
}
