import { AT_ONCE_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { addressesIn } from '#server/platform/http/client-address.ts'

/** Time and size limits of a request before its call is processed. */
export const SERVER_LIMITS = {
  // Our browser app sends less than a tenth of this.
  maxHeaderSize: 8_192,
  headersTimeout: 15_000,
  // Long enough for a photo over a slow connection.
  requestTimeout: 120_000,
  // Longer than a proxy's keep-alive, so that the proxy closes its connections first.
  keepAliveTimeout: 72_000,
  // Node checks the two request timeouts above every 5 s.
  connectionsCheckingInterval: 5_000,
} satisfies ServerOptions

export interface ConnectionLimits {
  /**
   * Maximum connections of one network that is not a trusted proxy. The maximum is high, because a whole office may
   * share one address.
   */
  readonly perAddress: number
  readonly total: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  perAddress: AT_ONCE_LIMITS.connections_network.max,
  total: AT_ONCE_LIMITS.connections_total.max,
}

/** Closes connections over the limits at once, before reading a byte. */
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
