import type { LimitsOut } from '#contract/limits.ts'
import { isAmountRule, type OwnRuleKey, type REALITY_MINUTES, type SelfLimitKey } from '#core/accounts/self-limits.ts'
import { type Money, money } from '#core/money/money.ts'
import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

export type LimitGroup = 'deposit' | 'loss' | 'staked'
export const PERIODS = ['day', 'week', 'month'] as const
type Period = (typeof PERIODS)[number]
export type LimitWindow = NonNullable<LimitsOut['loss']['day']>

/** A change of a rule that has no amount. */
export type RuleChange =
  | { key: 'reality_check'; value: (typeof REALITY_MINUTES)[number] | null }
  | { key: 'withdrawal_lock'; value: boolean }

/** The value of a rule in words: "$50.00", "60 minutes", "On", "None". */
export function ruleText(key: OwnRuleKey, value: number | null): string {
  if (key === 'withdrawal_lock') return value === null ? t('limits.off') : t('limits.on')
  if (value === null) return t('limits.none')
  return isAmountRule(key) ? formatMoney(moneyOf(value)) : t('limits.minutes', { minutes: String(value) })
}

/** The name of a limit with its period: "Loss limit · 24 hours". */
export function limitName(key: OwnRuleKey): string {
  if (key === 'reality_check') return t('limits.reality')
  if (key === 'withdrawal_lock') return t('limits.lock')
  if (key === 'stake_max') return t('limits.stake_max')
  const [group, period] = partsOf(key)
  return `${t(`limits.${group}`)} · ${t(`limits.${period}`)}`
}

/** The value of a limit; null when the user has not set the limit. */
export function limitValue(key: SelfLimitKey, own: LimitsOut): number | null {
  if (key === 'stake_max') return own.stake_max
  const [group, period] = partsOf(key)
  return own[group][period]?.value ?? null
}

function partsOf(key: Exclude<SelfLimitKey, 'stake_max'>): [LimitGroup, Period] {
  return key.split('_') as [LimitGroup, Period]
}

/** The smallest amount that the limits still allow, and the name of the limit that allows it. */
export interface Room {
  readonly left: Money
  readonly name: string
  /** When the limit allows more just because time passes; null when it never does. */
  readonly freesAt: string | null
}

/** Returns the amount that a user's own limits still allow for one order. Null without such limits. */
export function orderRoom(limits: LimitsOut | undefined): Room | null {
  const room = smallestRoom(limits, ['loss', 'staked'])
  const stakeMax = limits?.stake_max ?? null
  if (stakeMax === null) return room
  const own = { left: moneyOf(stakeMax), name: limitName('stake_max'), freesAt: null }
  return room === null || own.left < room.left ? own : room
}

/** Formats the allowed amount: "Left: $5.00 (Loss limit · 24 hours) · Frees up from 21 Nov 14:37:02 UTC". */
export function roomText({ left, name, freesAt }: Room): string {
  return withFreesAt(t('limits.room', { left: formatMoney(left), name }), freesAt)
}

/** Adds the time at which the limit allows more without any action of the user, if there is such a time. */
export function withFreesAt(text: string, freesAt: string | null): string {
  return freesAt === null ? text : `${text} · ${t('limits.frees', { time: dayAndTimeText(Date.parse(freesAt)) })}`
}

/**
 * Returns the smallest amount that the limits of these groups still allow, with the name of the limit. Null without
 * such a limit.
 */
export function smallestRoom(limits: LimitsOut | undefined, groups: readonly LimitGroup[]): Room | null {
  if (limits === undefined) return null
  let smallest: { left: Money; key: SelfLimitKey; freesAt: string | null } | null = null
  for (const group of groups) {
    for (const period of PERIODS) {
      const window = limits[group][period]
      if (window === null) continue
      const left = moneyOf(window.left)
      if (smallest === null || left < smallest.left) {
        smallest = { left, key: `${group}_${period}`, freesAt: window.frees_at }
      }
    }
  }
  return smallest && { left: money(smallest.left), name: limitName(smallest.key), freesAt: smallest.freesAt }
}
