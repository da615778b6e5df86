import type { IncomingMessage } from 'node:http'
import { type AddressCountries, countryCode } from '#server/platform/countries/address-countries.ts'
import { addressesIn, clientAddressReader } from '#server/platform/http/client-address.ts'

interface ClientCountryParts {
  /** The header with which a proxy names the country. */
  readonly header: string | undefined
  readonly trustedProxies: readonly string[]
  readonly countries: Pick<AddressCountries, 'find'>
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
