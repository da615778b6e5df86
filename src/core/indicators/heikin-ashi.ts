import type { PriceBar, Rule } from '#core/indicators/rule.ts'

export interface AveragedBar {
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

/**
 * Heikin-Ashi: turns each bar into averages. Each averaged bar opens at the middle of the previous averaged bar.
 * Averages are not traded prices.
 */
export const HEIKIN_ASHI: Rule<PriceBar, AveragedBar | null, AveragedBar> = {
  start: null,
  next: (before, bar) => {
    const close = (bar.open + bar.high + bar.low + bar.close) / 4
    const open = before === null ? (bar.open + bar.close) / 2 : (before.open + before.close) / 2
    const averaged = { open, high: Math.max(bar.high, open, close), low: Math.min(bar.low, open, close), close }
    return [averaged, averaged]
  },
}
