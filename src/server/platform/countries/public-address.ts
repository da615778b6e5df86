import { isIP } from 'node:net'
import { mappedIpv4, siteOf } from '#server/platform/limits/subnet.ts'
import { isPrivateAddress } from '#server/platform/outgoing/private-address.ts'

const SIX_TO_FOUR = /^2002:([\da-f]+):([\da-f]+)::\/48$/

/**
 * The public address to look up: IPv4 addresses inside IPv6 addresses (mapped, 6to4) as IPv4. Null for private and
 * loopback addresses and for text that is no address.
 */
export function publicAddress(text: string): string | null {
  const [address = ''] = text.split('%')
  if (isIP(address) === 0) return null
  const plain = mappedIpv4(address) ?? sixToFourIpv4(address) ?? address
  return isPrivateAddress(plain) ? null : plain
}

function sixToFourIpv4(address: string): string | null {
  const [, high, low] = SIX_TO_FOUR.exec(siteOf(address) ?? '') ?? []
  if (high === undefined || low === undefined) return null
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.')
}
