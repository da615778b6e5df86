import type { TradeSettingOut } from '#contract/markets.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import { moneyText, type Money, parseMoney } from '#core/money/money.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { keepStake } from '#web/options/options.ts'
import { getAccount } from '#web/session/account.ts'
import { getSession, LAST_ORDERS } from '#web/session/session.ts'

/** 50: more symbols than one user trades. The oldest entry is removed first. */
const MAX_SYMBOLS = 50

/** The duration and the stake of the last order that the server accepted for a symbol. */
export interface LastOrder {
  readonly settingId: TradeSettingOut['id']
  readonly stake: Money
}

interface Stored {
  readonly userId: string
  readonly symbol: string
  readonly settingId: number
  /** The stake as plain decimal text. */
  readonly stake: string
  /** Absent for orders of the live account. */
  readonly account?: 'practice'
}

/**
 * Stores an accepted order, so that the next form of its symbol starts with the same duration and stake. Does nothing
 * unless the user turned this on.
 */
export function keepLastOrder(symbol: string, { settingId, stake }: LastOrder, account = getAccount()): void {
  const userId = getSession()?.user.id
  if (userId === undefined || keepStake.get() !== 'on') return
  const others = readStored().filter((one) => !isOf(one, { userId, symbol, account }))
  const order: Stored = { userId, symbol, settingId, stake: moneyText(stake) }
  const own: Stored = account === 'practice' ? { ...order, account } : order
  const next = [own, ...others].slice(0, MAX_SYMBOLS)
  writeItem('localStorage', LAST_ORDERS, JSON.stringify(next))
}

/** Finds the last order of the user for a symbol in this tab's account; null without one, or when the option is off. */
export function findLastOrder(symbol: string): LastOrder | null {
  const userId = getSession()?.user.id
  if (userId === undefined || keepStake.get() !== 'on') return null
  const found = readStored().find((one) => isOf(one, { userId, symbol, account: getAccount() }))
  const stake = found === undefined ? null : parseMoney(found.stake)
  return found === undefined || stake === null || stake <= 0n ? null : { settingId: found.settingId, stake }
}

interface Owner {
  readonly userId: string
  readonly symbol: string
  readonly account: AccountName
}

/** Compares the account too, because a stake of practice is no proposal for money. */
function isOf(one: Stored, { userId, symbol, account }: Owner): boolean {
  return one.userId === userId && one.symbol === symbol && (one.account ?? 'live') === account
}

function readStored(): readonly Stored[] {
  const stored = readJson('localStorage', LAST_ORDERS)
  return Array.isArray(stored) ? stored.filter(isStored) : []
}

/** Checks the fields, because the storage may hold data of another release or edited data. */
function isStored(value: unknown): value is Stored {
  if (typeof value !== 'object' || value === null) return false
  const { userId, symbol, settingId, stake } = value as Record<string, unknown>
  return [userId, symbol, stake].every((one) => typeof one === 'string') && Number.isSafeInteger(settingId)
}
