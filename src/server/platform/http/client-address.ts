import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { mappedIpv4 } from '#server/platform/limits/subnet.ts'

/**
 * Reads the client address of a connection. Behind trusted proxies it is the last entry in `X-Forwarded-For` that is
 * not a trusted proxy. From any other peer that header proves nothing and is ignored.
 */
export function clientAddressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = addressesIn(trustedProxies)
  return (request) => {
    let address = plain(request.socket.remoteAddress ?? '')
    const header = request.headers['x-forwarded-for']
    if (header === undefined) return address
    const forwarded = [header].flat().join(',').split(',')
    for (let next = forwarded.pop(); next !== undefined && isTrusted(address); next = forwarded.pop()) {
      const client = forwardedAddress(next)
      if (client === null) break
      address = client
    }
    return address
  }
}

/** Whether an address equals one of these, or lies in one of these ranges. */
export function addressesIn(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) trust(list, range)
  return (address) => {
    const version = isIP(plain(address))
    return version !== 0 && list.check(plain(address), version === 6 ? 'ipv6' : 'ipv4')
  }
}

function trust(list: BlockList, proxy: string): void {
  if (proxy === 'loopback') {
    list.addSubnet('127.0.0.0', 8, 'ipv4')
    list.addAddress('::1', 'ipv6')
    return
  }
  const [network = '', bits] = proxy.split('/')
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(network, family)
  else list.addSubnet(network, Number(bits), family)
}

/**
 * Parses one entry of `X-Forwarded-For`, with or without a port, such as `192.0.2.1:443` and `[2001:db8::1]:443`. Null
 * for anything else, such as `unknown`: that request counts by the proxy's own address.
 */
function forwardedAddress(entry: string): string | null {
  const text = entry.trim().replace(/^"(.*)"$/, '$1')
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  return isIP(host) === 0 ? null : plain(host)
}

function plain(address: string): string {
  return mappedIpv4(address) ?? address
}
