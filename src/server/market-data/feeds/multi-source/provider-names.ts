import { isPrivateHost, ownerOfHost, ownerOfName } from '#core/markets/sources/known-hosts.ts'
import type { FeedsFileProvider } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import type { ReadFeeds } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import { DEFAULT_ADDRESSES } from '#server/market-data/feeds/providers/default-addresses.ts'

/** The maximum length of a host in the name of a source. Such a name has at most 80 characters. */
const MAX_HOST_LETTERS = 76

/** The addresses of a provider: from the file, or the public ones. With ccxt, only those from the file. */
export function addressesOf({ kind, url, restUrl }: FeedsFileProvider): { stream?: URL; rest?: URL } {
  const known = kind === 'ccxt' ? undefined : DEFAULT_ADDRESSES[kind]
  const [stream, rest] = [url ?? known?.stream, restUrl ?? known?.rest]
  return {
    ...(stream !== undefined && { stream: new URL(stream) }),
    ...(rest !== undefined && { rest: new URL(rest) }),
  }
}

function hostsOf(row: FeedsFileProvider): string[] {
  return Object.values(addressesOf(row)).map(({ host }: URL) => host)
}

/**
 * The name of each provider of a file as users see it with its prices. A provider with a host that belongs to no known provider is named by
 * this host, such as `own:prices.example.com`.
 */
export function sourceNames({ providers }: Pick<ReadFeeds, 'providers'>): ReadonlyMap<string, string> {
  return new Map([...providers].map(([name, row]) => [name, sourceName(name, row)]))
}

function sourceName(name: string, row: FeedsFileProvider): string {
  const stranger = hostsOf(row).find((host) => ownerOfHost(host) === null)
  return stranger === undefined ? name : `own:${stranger.slice(-MAX_HOST_LETTERS)}`
}

/** Lists what live mode refuses: names of other providers, hosts inside a network, and connections without encryption. */
export function refusedInLive({ providers }: Pick<ReadFeeds, 'providers'>): string[] {
  return [...providers].flatMap(([name, row]) => {
    const place = `providers.${name}`
    const owner = ownerOfName(name)
    const owners = row.kind === 'ccxt' && hostsOf(row).length === 0 ? [row.exchange] : hostsOf(row).map(ownerOfHost)
    const isOfAnother = owner !== null && owners.some((one) => one !== owner)
    const urls = Object.values(addressesOf(row))
    return [
      ...(isOfAnother ? [`source_name_reserved: ${place}: the name belongs to ${owner}, and its hosts do not`] : []),
      ...urls
        .filter(({ host }: URL) => isPrivateHost(host))
        .map(
          ({ host }: URL) => `source_host_private: ${place}: ${host} is an address, or exists only inside a network`,
        ),
      ...urls
        .filter(({ protocol }: URL) => protocol === 'ws:' || protocol === 'http:')
        .map(({ host }: URL) => `tls_weakened: ${place}: the connection to ${host} is not encrypted`),
    ]
  })
}
