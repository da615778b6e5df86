import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { mappedIpv4 } from '#server/platform/limits/subnet.ts'

/** The shortest prefix, and so the widest range, that the list of a key may contain. */
const MIN_PREFIX = { ipv4: 8, ipv6: 32 } as const
const MAX_PREFIX = { ipv4: 32, ipv6: 128 } as const
const RANGE = /^([0-9a-f.:]{2,45})(?:\/(\d{1,3}))?$/i

interface Range {
  readonly address: string
  readonly prefix: number
  readonly family: 'ipv4' | 'ipv6'
}

/**
 * Parses an address or a range such as `192.0.2.0/24`. Returns null when the text is neither, or the range is too wide.
 */
export function parseRange(text: string): Range | null {
  const [, address = '', length] = RANGE.exec(text) ?? []
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
  // An IPv4 address in IPv6 form is refused, because the server compares such a caller by the IPv4 address, so the
  // entry would never match.
  if (family === null || mappedIpv4(address) !== null) return null
  const prefix = length === undefined ? MAX_PREFIX[family] : Number(length)
  return prefix < MIN_PREFIX[family] || prefix > MAX_PREFIX[family] ? null : { address, prefix, family }
}

/**
 * Returns a function that tells whether a list of addresses and ranges allows an address. An empty list allows all
 * addresses.
 */
export function createAddressList(texts: readonly string[]): (address: string) => boolean {
  if (texts.length === 0) return () => true
  // IPv4 and IPv6 have separate lists. In one list, an IPv4 address would also match an IPv6 range that contains its
  // IPv6 form.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const text of texts) {
    const range = parseRange(text)
    if (range !== null) lists[range.family].addSubnet(range.address, range.prefix, range.family)
  }
  return (address) => {
    const plain = mappedIpv4(address) ?? address
    if (isIPv4(plain)) return lists.ipv4.check(plain, 'ipv4')
    return isIPv6(plain) && lists.ipv6.check(plain.split('%', 1).join(''), 'ipv6')
  }
}
