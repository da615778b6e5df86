import { AT_ONCE_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { addressesIn } from '#server/platform/http/client-address.ts'

/** How long a client may take, and how much it may say before its call is even looked at. */
export const SERVER_LIMITS = {
  // A browser of ours sends less than a tenth of it.
  maxHeaderSize: 8_192,
  headersTimeout: 15_000,
  // Long enough for a photo over a slow line.
  requestTimeout: 120_000,
  // Longer than a proxy before us keeps its connections, so that it is the one that closes them.
  keepAliveTimeout: 72_000,
  // How soon the two above are noticed.
  connectionsCheckingInterval: 5_000,
} satisfies ServerOptions

export interface ConnectionLimits {
  /** Of one network that is not a proxy of ours: a whole office may share one address. */
  readonly perAddress: number
  readonly total: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  perAddress: AT_ONCE_LIMITS.connections_network.max,
  total: AT_ONCE_LIMITS.connections_total.max,
}

/** Ends connections beyond the limits at once, before a byte of theirs is read. */
export function limitConnections(server: Server, limits: ConnectionLimits, trustedProxies: readonly string[]): void {
  server.maxConnections = limits.total
  const isProxy = addressesIn(trustedProxies)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const remote = socket.remoteAddress ?? ''
    if (isProxy(remote)) return
    const address = subnetOf(remote)
    const count = (open.get(address) ?? 0) + 1
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
    if (count > limits.perAddress) socket.destroy()
  })
}
