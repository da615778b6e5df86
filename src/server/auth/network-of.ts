import { isIPv6 } from 'node:net'

/** What tries are counted by: an address of IPv4, and of IPv6 the network, as one line has 2^64 addresses of those. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const front = head.split(':').filter((part) => part !== '')
  const back = (tail ?? '').split(':').filter((part) => part !== '')
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0')
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}
