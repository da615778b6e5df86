import { SECOND_MS } from '#core/time/instant.ts'

/** 15 minutes: the longest time that one call covers. A server reads this much of the log at once. */
export const MAX_RECENT_SECONDS = 900
/** More ticks would take longer to load than they are worth on a line of 15 minutes. */
export const MAX_RECENT_TICKS = 5_000

/** Leaves only the newest of the ticks of each second. The ticks are in the order of their times. */
export function newestOfEachSecond<T extends { readonly time: number }>(ticks: readonly T[]): T[] {
  const secondOf = (tick: T | undefined) => Math.floor((tick?.time ?? Infinity) / SECOND_MS)
  return ticks.filter((tick, index) => secondOf(tick) !== secondOf(ticks[index + 1]))
}
