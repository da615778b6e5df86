/**
 * The domains of providers whose name users see with their prices. A provider may use such a name only when all its
 * hosts are in these domains. Each exchange that ccxt reaches has an entry of its own.
 */
const KNOWN_HOSTS: Readonly<Record<string, readonly string[]>> = {
  binance: ['binance.com', 'binance.vision'],
  bitfinex: ['bitfinex.com'],
  bitstamp: ['bitstamp.net'],
  bybit: ['bybit.com'],
  coinbase: ['coinbase.com'],
  finnhub: ['finnhub.io'],
  gemini: ['gemini.com'],
  kraken: ['kraken.com'],
  kucoin: ['kucoin.com'],
  okx: ['okx.com'],
}
/** Names that only this program may use as a source: it computes or replays these prices itself. */
const OWN_NAMES = new Set(['synthetic', 'replay'])

/** Suffixes and names of hosts that only exist inside a network, or are reserved. */
const PRIVATE_HOST =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|test|invalid|example|onion|arpa)$/
const ADDRESS = /^(?:\[.*\]|[\d.]+|0x[\da-f.]+)$/

/** The provider that a host belongs to; null for any other host. */
export function ownerOfHost(host: string): string | null {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const found = Object.entries(KNOWN_HOSTS).find(([, domains]) =>
    domains.some((domain) => name === domain || name.endsWith(`.${domain}`)),
  )
  return found?.[0] ?? null
}

/**
 * Returns the provider that a name belongs to, also when the name has a suffix such as `binance-2`. Null for any other
 * name.
 */
export function ownerOfName(name: string): string | null {
  if (OWN_NAMES.has(name)) return name
  return Object.keys(KNOWN_HOSTS).find((known) => name === known || name.startsWith(`${known}-`)) ?? null
}

/** Whether a host is an address, has no domain, or is in a domain that exists only inside a network. */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase()
  return ADDRESS.test(name) || !name.includes('.') || PRIVATE_HOST.test(name)
}
