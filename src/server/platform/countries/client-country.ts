import type { IncomingMessage } from 'node:http'
import {
  type AddressCountries,
  countryCode,
  openAddressCountries,
} from '#server/platform/countries/address-countries.ts'
import type { Log } from '#server/platform/runtime/ports.ts'
import { addressesIn, clientAddressReader } from '#server/platform/http/client-address.ts'

interface CountriesConfig {
  readonly ipCountries: string | undefined
  readonly countryHeader: string | undefined
  readonly trustedProxies: readonly string[]
}

interface ClientCountryParts {
  /** The header with which a proxy names the country. */
  readonly header: string | undefined
  readonly trustedProxies: readonly string[]
  readonly countries: Pick<AddressCountries, 'find'>
}

/** The sources from which the site reads the country of a request. */
export interface CountrySources extends AddressCountries {
  readonly header: string | null
  /** Returns the ISO code of the country of a request. Null when it is unknown. */
  readonly of: (request: IncomingMessage) => string | null
}

/** Opens the sources of countries: the table of addresses and the header of trusted proxies. */
export async function openCountries(
  { ipCountries, countryHeader: header, trustedProxies }: CountriesConfig,
  log: Log,
): Promise<CountrySources> {
  const countries = await openAddressCountries(ipCountries, log)
  return { ...countries, header: header ?? null, of: clientCountryReader({ header, trustedProxies, countries }) }
}

/**
 * Reads the country of a request: from the header when the connection comes from a trusted proxy, or else from the
 * table. Null when neither knows it.
 */
export function clientCountryReader({
  header,
  trustedProxies,
  countries,
}: ClientCountryParts): (request: IncomingMessage) => string | null {
  const isTrusted = addressesIn(trustedProxies)
  const addressOf = clientAddressReader(trustedProxies)
  return (request) => {
    const named = header === undefined ? undefined : request.headers[header]
    const isNamed = typeof named === 'string' && isTrusted(request.socket.remoteAddress ?? '')
    return (isNamed ? countryCode(named) : null) ?? countries.find(addressOf(request))
  }
}
