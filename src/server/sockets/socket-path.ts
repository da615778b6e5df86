import { MAX_STREAMS } from '#contract/live/stream-socket.ts'
import type { SocketEndpoint } from '#server/sockets/socket-endpoint.ts'
import { readStream, type Stream } from '#server/sockets/stream-name.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'

/** A parsed socket address. */
export type SocketPath =
  | { readonly kind: 'app'; readonly lang: string | null }
  /** `isCombined`: each message names its stream. */
  | { readonly kind: 'streams'; readonly streams: readonly Stream[]; readonly isCombined: boolean }
  | { readonly kind: 'ticker' }
  | { readonly kind: 'endpoint'; readonly endpoint: SocketEndpoint }

/** Some clients append a connection number like this. */
const NUMBER = /^\d{1,9}$/

/** Clients append `/ws` or `/stream` to the configured address, which may already end in `/ws`. */
const STREAMS = /^(?:\/ws)?\/(ws|stream)(?:\/(.*))?$/s

/**
 * Parses `/ws/app`, `/ws/ticker`, the address of an endpoint, or streams in the exchanges' form.
 * Streams: `/ws/<stream>/<stream>…`, `/ws` to choose streams later, or `/stream?streams=<stream>/<stream>…`. Returns
 * null for any other address or an unknown stream.
 */
export function readSocketPath(
  url: string,
  catalogue: Pick<MarketCatalogue, 'findKnown'>,
  endpoints: readonly SocketEndpoint[],
): SocketPath | null {
  const [path = '', query = ''] = url.split('?', 2)
  const endpoint = endpoints.find((one) => one.path === path)
  if (endpoint !== undefined) return { kind: 'endpoint', endpoint }
  const parameters = new URLSearchParams(query)
  if (path === '/ws/app') return { kind: 'app', lang: parameters.get('lang') }
  if (path === '/ws/ticker') return { kind: 'ticker' }
  const [, root, rest = ''] = STREAMS.exec(path) ?? []
  // Streams are only offered with times in milliseconds.
  if (root === undefined || !/^millisecond$/i.test(parameters.get('timeUnit') ?? 'MILLISECOND')) return null
  const named = decode(rest)
  const names =
    named === null ? null : [...named.split('/'), ...parameters.getAll('streams').flatMap((text) => text.split('/'))]
  return names === null ? null : read(names, { isCombined: root === 'stream' }, catalogue)
}

function read(
  names: readonly string[],
  { isCombined }: { isCombined: boolean },
  catalogue: Pick<MarketCatalogue, 'findKnown'>,
): SocketPath | null {
  const wanted = names.filter((name) => name !== '' && !NUMBER.test(name))
  if (wanted.length > MAX_STREAMS) return null
  const streams = wanted.flatMap((name) => readStream(name, catalogue) ?? [])
  return streams.length === wanted.length ? { kind: 'streams', streams, isCombined } : null
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    // A malformed escape matches no address.
    return null
  }
}
