import type { TradeSettingOut } from '#contract/markets.ts'
import { basisPoints, type Money, moneyText, shareHalfEven } from '#core/money/money.ts'
import type { AmountFlaw, ReadAmount } from '#core/money/typed-amount.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import { readTyped } from '#web/forms/typed-amount.ts'
import { moneyOf } from '#web/i18n/amounts.ts'

/** What the user has filled in. `amount` as typed: may be empty or incomplete. */
export interface OrderForm {
  readonly direction: Direction
  readonly settingId: number | null
  readonly amount: string
}

export interface OrderFacts {
  readonly settings: readonly TradeSettingOut[]
  readonly balance: Money
  readonly isOpen: boolean
  /** End of the running session in milliseconds UTC, when there is one. */
  readonly closesAt: number | null
  /** The server's clock. */
  readonly now: number
  readonly isAllowed: boolean
  /** The server is heard: its prices are live, and it can be asked. */
  readonly isConnected: boolean
  readonly isSubmitting: boolean
}

export type AmountProblem = 'missing' | 'unreadable' | 'insufficient' | 'below_minimum' | 'above_maximum'

export interface OrderView {
  readonly setting: TradeSettingOut | null
  readonly stake: Money | null
  /** What a win adds to the stake, rounded as settlement does. */
  readonly profit: Money | null
  /** Share of such orders that must be right to come out even, in percent. */
  readonly breakEven: number | null
  readonly problem: AmountProblem | null
  /** Why the text is no amount, where it is `unreadable`. */
  readonly flaw: AmountFlaw | null
  /** Settings whose order would outlast the session. */
  readonly closesFirst: ReadonlySet<number>
  readonly maySubmit: boolean
}

/** The empty form: nothing chosen but the direction. */
export function startForm(direction: Direction = BUY): OrderForm {
  return { direction, settingId: null, amount: '' }
}

/** Choosing an expiry sets the amount to its minimum, as specified. */
export function chooseExpiry(form: OrderForm, setting: TradeSettingOut): OrderForm {
  return { ...form, settingId: setting.id, amount: moneyText(moneyOf(setting.min_amount)) }
}

/** Picks the first expiry that can still be had, for a form that has none. */
export function withFirstExpiry(form: OrderForm, facts: OrderFacts): OrderForm {
  if (form.settingId !== null) return form
  const first = facts.settings.find((setting) => !outlastsSession(setting, facts))
  return first ? chooseExpiry(form, first) : form
}

/** Everything the form shows, from what is filled in and what is known. */
export function readOrderForm(form: OrderForm, facts: OrderFacts): OrderView {
  const setting = facts.settings.find(({ id }) => id === form.settingId) ?? null
  const read = readTyped(form.amount)
  const flaw = flawOf(read)
  const stake = read.ok && read.amount > 0n ? read.amount : null
  const closesFirst = new Set(facts.settings.filter((one) => outlastsSession(one, facts)).map(({ id }) => id))
  const problem = flaw !== null ? 'unreadable' : problemOf(stake, setting, facts.balance)
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

/** 100 / (100 + payout), in percent: the rate at which wins and losses cancel out. */
export function breakEvenOf(payout: number): number {
  return (100 * 100) / (100 + payout)
}

function outlastsSession(setting: TradeSettingOut, { closesAt, now }: OrderFacts): boolean {
  return closesAt !== null && now + setting.time * 1000 > closesAt
}

function flawOf(read: ReadAmount): AmountFlaw | null {
  return read.ok || read.flaw === 'empty' ? null : read
}

/** One problem at a time; lacking the money comes first, since no other amount below it would help. */
function problemOf(stake: Money | null, setting: TradeSettingOut | null, balance: Money): AmountProblem | null {
  if (stake === null) return 'missing'
  if (stake > balance) return 'insufficient'
  if (setting === null) return null
  if (stake < moneyOf(setting.min_amount)) return 'below_minimum'
  if (stake > moneyOf(setting.max_amount)) return 'above_maximum'
  return null
}
