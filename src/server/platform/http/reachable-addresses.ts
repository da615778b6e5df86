import type { NetworkInterfaceInfo } from 'node:os'

export interface ReachableAddresses {
  readonly own: string
  readonly network: readonly string[]
}

/** An IPv4 link-local address, which a computer assigns itself. Other computers cannot reach it. */
const LINK_LOCAL = /^169\.254\./

/**
 * The addresses at which a server that listens on all network interfaces can be opened: from this computer, and from
 * other computers in its networks. A server that listens at one address has only that address.
 */
export function reachableAddresses(
  { address, host }: { readonly address: string; readonly host: string },
  interfaces: Readonly<
    Record<string, readonly Pick<NetworkInterfaceInfo, 'address' | 'family' | 'internal'>[] | undefined>
  >,
): ReachableAddresses {
  if (host !== '0.0.0.0' && host !== '::') return { own: address, network: [] }
  const url = new URL(address)
  const at = (host: string): string => `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`
  const network = Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter((one) => one.family === 'IPv4' && !one.internal && !LINK_LOCAL.test(one.address))
    .map((one) => at(one.address))
  return { own: at('localhost'), network: [...new Set(network)] }
}
