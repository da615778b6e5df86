import type { MarketList, MarketStatus } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { formatCountdown } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'

/** 30 min: the countdown to the end of a session starts this early. */
const CLOSING_SOON_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** The state of a market in the current second. */
export interface MarketClock {
  readonly isOpen: boolean
  /** While closed: the time to the next opening; null when unknown. */
  readonly opensInMs: number | null
  /** While open: the time to the close, in the last half hour of the session. */
  readonly closesInMs: number | null
}

interface Facts {
  list: Pick<MarketList, 'market_status' | 'market_hours'>
  /** The server's last message, which may be newer than the list. */
  live: MarketStatus | null
  marketType: MarketType
  /** Milliseconds UTC by the server's clock. */
  now: number
}

/**
 * Returns the state of a market. At an opening or closing time, the client changes the state by itself. The change is
 * visible in that second, before the server's message arrives.
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

/** Formats the time left: "14:32", "6:05:00", "2 days 06:05". */
export function leftText(leftMs: number): string {
  if (leftMs < DAY_MS) return formatCountdown(leftMs)
  const minutes = Math.ceil(leftMs / 60_000)
  const clock = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')
  return `${t('trade.days', { count: Math.floor(minutes / 1440) })} ${clock}`
}
