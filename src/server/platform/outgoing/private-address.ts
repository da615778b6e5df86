import { BlockList, isIP } from 'node:net'

/** Networks that no public host is in: RFC 1918, 4193, 6598, loopback, link-local and multicast. */
const PRIVATE_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  ['::', 127],
  // Addresses that a gateway translates to IPv4 addresses, including private addresses.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

const BLOCKED = networks(PRIVATE_NETWORKS.map(([network, bits]) => `${network}/${bits}`))

/** Returns whether an IP address belongs to a private network. IPv4 addresses inside IPv6 addresses count as IPv4. */
export function isPrivateAddress(address: string): boolean {
  return contains(BLOCKED, address)
}

/** Builds a list of addresses and ranges such as `10.0.0.0/8`. */
export function networks(list: readonly string[]): BlockList {
  const built = new BlockList()
  for (const entry of list) {
    const [network = '', bits] = entry.split('/')
    const family = network.includes(':') ? 'ipv6' : 'ipv4'
    if (bits === undefined) built.addAddress(network, family)
    else built.addSubnet(network, Number(bits), family)
  }
  return built
}

export function contains(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
