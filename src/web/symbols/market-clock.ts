import type { MarketList, MarketStatus } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { formatCountdown } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'

/** How long before the end of a session it is counted down. */
const CLOSING_SOON_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** How a kind of market stands at this second. */
export interface MarketClock {
  readonly isOpen: boolean
  /** While closed: what is left to the next opening; null when nobody can say. */
  readonly opensInMs: number | null
  /** While open: what is left of the session, in its last half hour. */
  readonly closesInMs: number | null
}

interface Facts {
  list: Pick<MarketList, 'market_status' | 'market_hours'>
  /** What the server last said, which may be newer than the list. */
  live: MarketStatus | null
  marketType: MarketType
  /** The server's clock. */
  now: number
}

/**
 * Open or closed by the server's last word, and from the bell on by our own count: the change is seen in its second,
 * not when the news of it comes.
 */
export function marketClock({ list, live, marketType, now }: Facts): MarketClock {
  const { opens_at: opensAt, closes_at: closesAt } = list.market_hours[marketType]
  const wasOpen = (live ?? list.market_status)[marketType]
  const bell = wasOpen ? closesAt : opensAt
  const isOpen = bell !== null && bell <= now ? !wasOpen : wasOpen
  const leftTo = (at: number | null) => (at === null || at <= now ? null : at - now)
  const left = leftTo(closesAt)
  return {
    isOpen,
    opensInMs: isOpen ? null : leftTo(opensAt),
    closesInMs: isOpen && left !== null && left <= CLOSING_SOON_MS ? left : null,
  }
}

/** "14:32", "6:05:00", "2 days 06:05": what is left to a bell. */
export function leftText(leftMs: number): string {
  if (leftMs < DAY_MS) return formatCountdown(leftMs)
  const minutes = Math.ceil(leftMs / 60_000)
  const clock = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return `${t('trade.days', { count: Math.floor(minutes / 1440) })} ${clock}`
}
