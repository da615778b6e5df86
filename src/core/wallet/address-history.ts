import { DAY_MS, type Instant } from '#core/time/instant.ts'

/** For 7 days after a change, depositors also see the last six characters of the former address. */
const SHOWN_FOR_MS = 7 * DAY_MS
const SHOWN_LETTERS = 6

/** When a payment address came into use. */
export interface AddressHistory {
  readonly since: Instant
  /**
   * The last six characters of the previous address. Null without a previous address, and when the change is more than
   * seven days old.
   */
  readonly before: string | null
}

/**
 * Finds when the current address came into use, from all stored addresses of a gateway, oldest first. Null when there
 * is no address, or when the start is unknown.
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
