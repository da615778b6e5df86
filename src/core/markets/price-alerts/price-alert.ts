import { priceOnBasis, type Split } from '#core/markets/splits/splits.ts'
import type { Price } from '#core/money/price.ts'
import { DAY_MS, HOUR_MS, type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'

/** `above` and `below` a level, or a `move` either way from the price when the alert was set. */
export const ALERT_KINDS = ['above', 'below', 'move'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** How many alerts of a user can run at a time. The database enforces this maximum. */
export const MAX_RUNNING_ALERTS = 20
/** The allowed size of a move, in hundredths of a percent: 0.1 % to 50 %. */
export const ALERT_MOVE = { min: 10, max: 5_000 } as const
/** How long a repeating alert stays silent after it fired. */
export const ALERT_COOL_MINUTES = { min: 5, max: (7 * DAY_MS) / MINUTE_MS, usual: HOUR_MS / MINUTE_MS } as const
export const ALERT_LIFE_MS = { min: HOUR_MS, max: 90 * DAY_MS, usual: 30 * DAY_MS } as const
export const MAX_ALERT_NOTE = 80

/** The part of an alert that decides which prices it fires at. */
export type AlertRule =
  | { readonly kind: 'above' | 'below'; readonly level: Price }
  /** `move` is in hundredths of a percent. */
  | { readonly kind: 'move'; readonly move: number }

/** The fields of a tick of the tick log that alerts need. */
export interface AlertTick {
  readonly seq: number
  readonly symbolId: number
  readonly price: Price
  readonly time: Instant
}

/** The position of a tick in the tick log, and its time. */
export type AlertPlace = Pick<AlertTick, 'seq' | 'time'>

/** An alert, and its state after the ticks that were read. */
export interface WatchedAlert {
  readonly id: string
  readonly userId: string
  readonly symbolId: number
  readonly rule: AlertRule
  readonly state: 'running' | 'fired' | 'expired' | 'ended'
  readonly repeats: boolean
  readonly coolMs: number
  readonly expiresAt: Instant
  /**
   * The newest tick when the alert was set. For a move, each firing replaces it: a move is measured from the price of
   * this tick.
   */
  readonly basis: Omit<AlertTick, 'symbolId'>
  /** Only ticks with a higher sequence number in the tick log can fire the alert. */
  readonly fromSeq: number
  /** Whether the newest tick was on the other side of the level. Always true for a move. */
  readonly isArmed: boolean
  /** Ticks before this time do not fire the alert. */
  readonly quietUntil: Instant
  /** How many times the alert has fired. */
  readonly round: number
  /** The tick at which the alert fired last, with the previous tick of the symbol. Null until the alert fires. */
  readonly fired: { readonly tick: AlertTick; readonly previous: AlertPlace } | null
}

/** Why an alert cannot start at this price. Null when nothing prevents it. */
export function alertRefusal(rule: AlertRule, newest: Price): 'alert_at_price' | 'alert_wrong_side' | null {
  if (rule.kind === 'move') return null
  if (rule.level === newest) return 'alert_at_price'
  return rule.level > newest === (rule.kind === 'above') ? null : 'alert_wrong_side'
}

/**
 * Applies one tick of the symbol to an alert. Returns the alert itself when the tick changes nothing. Ticks must come
 * in the order of the log. `last` is the previous tick of the symbol, or null when no tick was read yet.
 */
export function advanceAlert(alert: WatchedAlert, tick: AlertTick, last: AlertPlace | null): WatchedAlert {
  if (alert.state !== 'running' || tick.seq <= alert.fromSeq) return alert
  if (tick.time > alert.expiresAt) return { ...alert, state: 'expired' }
  const isQuiet = tick.time < alert.quietUntil
  if (alert.rule.kind === 'move') {
    const { up, down } = eventPrices(alert)
    return isQuiet || (tick.price > down && tick.price < up) ? alert : fire(alert, tick, last)
  }
  const { kind, level } = alert.rule
  const hasReached = kind === 'above' ? tick.price >= level : tick.price <= level
  if (hasReached !== alert.isArmed) return alert
  if (hasReached && !isQuiet) return fire(alert, tick, last)
  // The price went back to the other side of the level, or it crossed the level while the alert stays silent.
  return { ...alert, isArmed: !hasReached }
}

/**
 * Converts the level and the basis of an alert to prices after a split that took effect since the basis, up to `at`.
 * Otherwise the first price after the split would look like a move. Returns the alert itself when there was no split.
 */
export function alertOnBasis(alert: WatchedAlert, at: Instant, splits: readonly Split[]): WatchedAlert {
  const { rule, basis } = alert
  const split = splits.findLast(({ effectiveAt }) => basis.time < effectiveAt && effectiveAt <= at)
  if (split === undefined) return alert
  const convert = (price: Price) => priceOnBasis(price, basis.time, at, splits)
  return {
    ...alert,
    rule: rule.kind === 'move' ? rule : { ...rule, level: convert(rule.level) },
    basis: { ...basis, price: convert(basis.price), time: split.effectiveAt },
  }
}

function fire(alert: WatchedAlert, tick: AlertTick, last: AlertPlace | null): WatchedAlert {
  const isMove = alert.rule.kind === 'move'
  const { seq, time } = last !== null && last.seq > alert.basis.seq ? last : alert.basis
  return {
    ...alert,
    state: alert.repeats ? 'running' : 'fired',
    basis: isMove ? { seq: tick.seq, price: tick.price, time: tick.time } : alert.basis,
    isArmed: isMove,
    quietUntil: alert.repeats ? instant(tick.time + alert.coolMs) : alert.quietUntil,
    round: alert.round + 1,
    fired: { tick, previous: { seq, time } },
  }
}

/** The nearest prices at which a running alert can change: at or above `up`, at or below `down`. */
export function eventPrices({ rule, basis, isArmed }: WatchedAlert): { readonly up: number; readonly down: number } {
  if (rule.kind === 'move')
    return { up: shifted(basis.price, rule.move, 'up'), down: shifted(basis.price, -rule.move, 'down') }
  const isUp = (rule.kind === 'above') === isArmed
  if (isUp) return { up: isArmed ? rule.level : rule.level + 1, down: Number.NEGATIVE_INFINITY }
  return { up: Number.POSITIVE_INFINITY, down: isArmed ? rule.level : rule.level - 1 }
}

const WHOLE = 10_000n

/**
 * The price after a move by hundredths of a percent, rounded away from `basis`, so that a smaller move does not count.
 */
function shifted(basis: Price, move: number, towards: 'up' | 'down'): number {
  const product = BigInt(basis) * (WHOLE + BigInt(move))
  return Number(towards === 'up' ? (product + WHOLE - 1n) / WHOLE : product / WHOLE)
}
