import type { ReadFeeds } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import { addressesOf } from '#server/market-data/feeds/multi-source/provider-names.ts'
import { isPrivateAddress } from '#server/platform/outgoing/private-address.ts'

/** Returns all addresses of a host; none when it cannot be found. */
export type LookUpHost = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/**
 * Lists the hosts of providers that resolve to a private network. Known hosts are checked too, because a hosts file can
 * redirect every name.
 */
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
      const inside = addresses.find(({ address }) => isPrivateAddress(address))
      return inside === undefined
        ? []
        : `source_host_private: providers.${name}: ${hostname} resolves to ${inside.address}`
    }),
  )
  return found.flat()
}
