import type { LimitsOut } from '#contract/limits.ts'
import type { SelfLimitKey } from '#core/accounts/self-limits.ts'
import { type Money, money } from '#core/money/money.ts'
import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'

export type LimitGroup = 'deposit' | 'loss' | 'staked'
export const PERIODS = ['day', 'week', 'month'] as const
export type LimitWindow = NonNullable<LimitsOut['loss']['day']>

/** The name of a limit with its period: "Loss limit · 24 hours". */
export function limitName(key: SelfLimitKey): string {
  if (key === 'stake_max') return t('limits.stake_max')
  const [group, period] = key.split('_') as [LimitGroup, (typeof PERIODS)[number]]
  return `${t(`limits.${group}`)} · ${t(`limits.${period}`)}`
}

/** What limits leave, and the name of the limit that leaves the least. */
export interface Room {
  readonly left: Money
  readonly name: string
}

/** What a user's own limits leave for one order. Null without such limits. */
export function orderRoom(limits: LimitsOut | undefined): Room | null {
  const room = leastRoom(limits, ['loss', 'staked'])
  const largest = limits?.stake_max ?? null
  if (largest === null) return room
  const own = { left: moneyOf(largest), name: limitName('stake_max') }
  return room === null || own.left < room.left ? own : room
}

/** "Left: $5.00 (Loss limit · 24 hours)". */
export function roomText({ left, name }: Room): string {
  return t('limits.room', { left: formatMoney(left), name })
}

/** The least that the limits of these groups leave, with the name of the limit. Null without such a limit. */
export function leastRoom(limits: LimitsOut | undefined, groups: readonly LimitGroup[]): Room | null {
  if (limits === undefined) return null
  let least: { left: Money; key: SelfLimitKey } | null = null
  for (const group of groups) {
    for (const period of PERIODS) {
      const window = limits[group][period]
      if (window === null) continue
      const left = moneyOf(window.left)
      if (least === null || left < least.left) least = { left, key: `${group}_${period}` }
    }
  }
  return least && { left: money(least.left), name: limitName(least.key) }
}
