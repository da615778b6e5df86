import { MOST_STREAMS } from '#contract/live/stream-socket.ts'
import { STAFF_SOCKET_PATH } from '#contract/live/staff-socket.ts'
import { readStream, type Stream } from '#server/live/stream-name.ts'
import type { MarketCatalogue } from '#server/markets/market-catalogue.ts'

/** What a socket's address asks for. */
export type SocketPath =
  | { readonly kind: 'app'; readonly lang: string | null }
  /** `isCombined`: each message names its stream. */
  | { readonly kind: 'streams'; readonly streams: readonly Stream[]; readonly isCombined: boolean }
  | { readonly kind: 'ticker' }
  | { readonly kind: 'staff' }

/** Some clients number their connections so. */
const NUMBER = /^\d{1,9}$/

/**
 * `/ws/app`, `/ws/ticker`, that of the back office, or the exchanges' streams: `/ws/<stream>/<stream>…`, `/ws` to choose
 * them later, `/stream?streams=<stream>/<stream>…`. Null for anything else, also when one of the streams is none.
 */
export function readSocketPath(url: string, catalogue: Pick<MarketCatalogue, 'find'>): SocketPath | null {
  const [path = '', query = ''] = url.split('?', 2)
  if (path === STAFF_SOCKET_PATH) return { kind: 'staff' }
  if (path === '/ws/app') return { kind: 'app', lang: new URLSearchParams(query).get('lang') }
  if (path === '/ws/ticker') return { kind: 'ticker' }
  const isCombined = path === '/stream'
  if (isCombined) return read(new URLSearchParams(query).get('streams') ?? '', { isCombined }, catalogue)
  return path === '/ws' || path.startsWith('/ws/')
    ? read(decode(path.slice('/ws/'.length)), { isCombined }, catalogue)
    : null
}

function read(
  names: string | null,
  { isCombined }: { isCombined: boolean },
  catalogue: Pick<MarketCatalogue, 'find'>,
): SocketPath | null {
  const wanted = names?.split('/').filter((name) => name !== '' && !NUMBER.test(name))
  if (wanted === undefined || wanted.length > MOST_STREAMS) return null
  const streams = wanted.flatMap((name) => readStream(name, catalogue) ?? [])
  return streams.length === wanted.length ? { kind: 'streams', streams, isCombined } : null
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    // A broken escape is a path that nobody serves.
    return null
  }
}
