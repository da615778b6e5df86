import type { Instant } from '#core/time/instant.ts'
import type { RemoteClock } from '#server/market-data/feeds/base/feed-clocks.ts'
import { isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { parseIsoTime } from '#server/market-data/feeds/providers/iso-time.ts'
import { readMs } from '#server/market-data/feeds/providers/provider-time.ts'
import { ProviderError, type ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { REST_LIMITS, RestClient } from '#server/market-data/feeds/providers/rest-client.ts'

interface TimeCall {
  readonly path: string
  readonly read: (body: Readonly<Record<string, unknown>>) => Instant | null
}

const isoTime: TimeCall['read'] = ({ iso }) => (typeof iso === 'string' ? parseIsoTime(iso) : null)

/** The public calls that return a provider's time, each at least to a millisecond. Other providers have none. */
const TIME_CALLS: Readonly<Partial<Record<string, TimeCall>>> = {
  binance: { path: '/api/v3/time', read: ({ serverTime }) => readMs(serverTime) },
  coinbase: { path: '/time', read: isoTime },
  'coinbase-advanced': { path: '/api/v3/brokerage/time', read: isoTime },
}

const ANSWER_WITHIN_MS = 10_000

/** Returns the clock of a provider of this kind; null when the provider has no call for its time. */
export function providerClock(
  { name, kind, rest }: { readonly name: string; readonly kind: string; readonly rest: URL | undefined },
  { clock }: Pick<ProviderTools, 'clock'>,
): RemoteClock | null {
  const call = TIME_CALLS[kind]
  if (call === undefined || rest === undefined) return null
  const client = new RestClient({ clock }, { url: rest.href }, { ...REST_LIMITS, answerWithinMs: ANSWER_WITHIN_MS })
  return {
    name,
    async ask() {
      const requestedAt = clock.now()
      const body = await client.get(call.path)
      const answeredAt = clock.now()
      const time = isObject(body) ? call.read(body) : null
      if (time === null) throw new ProviderError(`${call.path}: not a time`, { retry: true })
      return { requestedAt, answeredAt, time }
    },
    stop: () => client.stop(),
  }
}
