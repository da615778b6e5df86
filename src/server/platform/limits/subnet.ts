import { isIPv6 } from 'node:net'

/**
 * The network used for every count by address: an IPv4 address itself, or the /64 of an IPv6 address, since one
 * subscriber has 2^64 IPv6 addresses. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`) counts as IPv4.
 */
export function subnetOf(address: string): string {
  return isIPv6(address) ? (mappedIpv4(address) ?? prefixOf(address, 4)) : address
}

/**
 * The /48 of an IPv6 address, which a provider assigns to one site. Null for IPv4, which has no such larger network.
 */
export function siteOf(address: string): string | null {
  return isIPv6(address) && mappedIpv4(address) === null ? prefixOf(address, 3) : null
}

const MAPPED = /^(?:0{0,4}:){0,5}:?ffff:(\d+\.\d+\.\d+\.\d+)$/i
const MAPPED_HEX = /^(?:0{0,4}:){0,5}:?ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i

/** The IPv4 address that an IPv6 address contains, as shown by a dual-stack socket; null for any other. */
export function mappedIpv4(address: string): string | null {
  const dotted = MAPPED.exec(address)?.[1]
  if (dotted !== undefined) return dotted
  const [, high, low] = MAPPED_HEX.exec(address) ?? []
  if (high === undefined || low === undefined) return null
  const bytes = [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
  return bytes.join('.')
}

/** The first `groups` 16-bit groups, in one canonical spelling. */
function prefixOf(address: string, groups: number): string {
  const [plain = ''] = address.split('%')
  const [head = '', tail] = plain.split('::')
  const front = head.split(':').filter((part) => part !== '')
  const back = (tail ?? '').split(':').filter((part) => part !== '')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  const all = [...front, ...zeros, ...back].slice(0, groups)
  return `${all.map((part) => Number.parseInt(part, 16).toString(16)).join(':')}::/${groups * 16}`
}
