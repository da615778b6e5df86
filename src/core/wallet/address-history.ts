import { DAY_MS, type Instant } from '#core/time/instant.ts'

/** 7 days after a change a depositor still sees the former address. */
const SHOWN_FOR_MS = 7 * DAY_MS
const SHOWN_LETTERS = 6

/** Since when a payment address counts. */
export interface AddressHistory {
  readonly since: Instant
  /** The last letters of the address before. Null without one, and when the change is older than seven days. */
  readonly before: string | null
}

/**
 * Finds since when the current address counts, from all stored lines of a gateway, oldest first. Null when there is no address, or when
 * the start is unknown.
 */
export function addressHistory(
  lines: readonly { readonly since: Instant; readonly address: string }[],
  current: string,
  now: Instant,
): AddressHistory | null {
  const former = lines.findLastIndex(({ address }) => address !== current)
  const first = lines[former + 1]
  if (current === '' || first === undefined || first.since === 0) return null
  const before = lines[former]?.address ?? ''
  const isShown = before !== '' && now - first.since < SHOWN_FOR_MS
  return { since: first.since, before: isShown ? before.slice(-SHOWN_LETTERS) : null }
}
