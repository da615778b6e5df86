import { STAFF_SOCKET_PATH } from '#contract/live/staff-socket.ts'
import { type ChartInterval, isChartInterval } from '#core/time/chart-interval.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/markets/market-catalogue.ts'

/** What a socket's address asks for. */
export type SocketPath =
  | { readonly kind: 'app'; readonly lang: string | null }
  | { readonly kind: 'candles'; readonly symbol: ListedSymbol; readonly interval: ChartInterval }
  | { readonly kind: 'ticker' }
  | { readonly kind: 'staff' }

const KLINE = /^([a-z0-9]{1,20})@kline_([0-9a-z]{1,3})$/i

/** `/ws/app`, `/ws/ticker`, `/ws/<product>@kline_<interval>` or that of the back office; null for anything else. */
export function readSocketPath(url: string, catalogue: Pick<MarketCatalogue, 'find'>): SocketPath | null {
  const [path = '', query = ''] = url.split('?', 2)
  if (path === STAFF_SOCKET_PATH) return { kind: 'staff' }
  if (!path.startsWith('/ws/')) return null
  const name = decode(path.slice('/ws/'.length))
  if (name === 'app') return { kind: 'app', lang: new URLSearchParams(query).get('lang') }
  if (name === 'ticker') return { kind: 'ticker' }
  const [, product = '', interval = ''] = KLINE.exec(name) ?? []
  const symbol = catalogue.find(product)
  return symbol !== null && isChartInterval(interval) ? { kind: 'candles', symbol, interval } : null
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken escape is a path that nobody serves.
    return ''
  }
}
