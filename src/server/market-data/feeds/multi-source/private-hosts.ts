import { BlockList } from 'node:net'
import type { ReadFeeds } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import { addressesOf } from '#server/market-data/feeds/multi-source/provider-names.ts'

/** Returns all addresses of a host; none when it cannot be found. */
export type LookUpHost = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** Networks that no public host is in: RFC 1918, 4193, 6598, loopback and link-local. */
const PRIVATE_NETWORKS = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const

const BLOCKED = new BlockList()
for (const [network, bits] of PRIVATE_NETWORKS)
  BLOCKED.addSubnet(network, bits, network.includes(':') ? 'ipv6' : 'ipv4')

/** Lists the hosts of providers that resolve to a private network, known ones too: a hosts file can redirect every name. */
export async function privatelyResolved(
  { providers }: Pick<ReadFeeds, 'providers'>,
  lookUp: LookUpHost,
): Promise<string[]> {
  const hosts = [...providers].flatMap(([name, row]) =>
    Object.values(addressesOf(row)).map(({ hostname }: URL) => ({ name, hostname })),
  )
  const found = await Promise.all(
    hosts.map(async ({ name, hostname }) => {
      const addresses = await lookUp(hostname)
      const inside = addresses.find(({ address, family }) => BLOCKED.check(address, family === 6 ? 'ipv6' : 'ipv4'))
      return inside === undefined
        ? []
        : `source_host_private: providers.${name}: ${hostname} resolves to ${inside.address}`
    }),
  )
  return found.flat()
}
