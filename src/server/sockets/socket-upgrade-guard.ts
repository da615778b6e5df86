import { AT_ONCE_LIMITS } from '#server/platform/limits/limits.ts'
import { subnetOf } from '#server/platform/limits/subnet.ts'
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { MAX_MESSAGE_BYTES } from '#contract/live/app-socket.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type ApiKeyText, keyInAddress } from '#core/accounts/api-keys.ts'
import { hasSoundHead } from '#server/platform/http/sound-head.ts'
import { Connection } from '#server/sockets/connection.ts'
import type { ServeSocket } from '#server/sockets/socket-endpoint.ts'
import type { SocketPath } from '#server/sockets/socket-path.ts'

export interface SocketLimits {
  readonly perAddress: number
  readonly total: number
}

const LIMITS: SocketLimits = {
  perAddress: AT_ONCE_LIMITS.sockets_network.max,
  total: AT_ONCE_LIMITS.sockets_total.max,
}

export interface UpgradeGuardOptions {
  readonly ctx: Ctx
  readonly isOwnOrigin: (origin: string | undefined, host: string | undefined) => boolean
  readonly addressOf: (request: IncomingMessage) => string
  readonly countryOf: (request: IncomingMessage) => string | null
  readonly limits: Partial<SocketLimits>
  /** Called with an API key that an address contained. */
  readonly onKeyShown: (key: ApiKeyText) => void
  readonly readPath: (url: string) => SocketPath | null
  readonly onOpen: (connection: Connection, path: OpenPath) => void
}

/** Addresses that need no session. */
export type OpenPath = Exclude<SocketPath, { kind: 'endpoint' }>
type EndpointPath = Extract<SocketPath, { kind: 'endpoint' }>

const MAX_FRAGMENTS = 64

/** Accepts sockets, or refuses them with a plain HTTP reply before the upgrade. */
export class SocketUpgradeGuard {
  readonly connections = new Set<Connection>()
  private readonly options: UpgradeGuardOptions
  private readonly limits: SocketLimits
  private readonly perSubnet = new Map<string, number>()
  private readonly server: WebSocketServer
  private isClosing = false
  private lookUps = 0
  private onEmpty: (() => void) | null = null

  constructor(options: UpgradeGuardOptions) {
    this.options = options
    this.limits = { ...LIMITS, ...options.limits }
    this.server = new WebSocketServer({
      noServer: true,
      // Off: compression costs memory per client and reveals the lengths of secrets.
      perMessageDeflate: false,
      maxPayload: MAX_MESSAGE_BYTES,
      // Browsers send a message in one fragment. The limit stops clients that cost time with thousands of fragments.
      maxFragments: MAX_FRAGMENTS,
      clientTracking: false,
    })
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Until ws takes over, no other listener handles errors, and a reset connection must not crash the server.
    socket.on('error', ignore)
    const shown = keyInAddress(request.url ?? '')
    if (shown.isNamed) {
      if (shown.key !== null) this.options.onKeyShown(shown.key)
      refuseUpgrade(socket, 422)
      return
    }
    const path = this.options.readPath(request.url ?? '')
    const status = this.refusal(request, path)
    if (path === null || status !== null) {
      refuseUpgrade(socket, status ?? 404)
      return
    }
    const upgrade = { request, socket, head }
    if (path.kind === 'endpoint') void this.upgradeAdmitted(upgrade, path)
    else this.shakeHands(upgrade, (connection) => this.options.onOpen(connection, path))
  }

  /** Checks the session in the database before the upgrade is accepted. */
  private async upgradeAdmitted(upgrade: Upgrade, path: EndpointPath): Promise<void> {
    const { request, socket } = upgrade
    if (this.lookUps >= AT_ONCE_LIMITS.socket_look_ups.max) return refuseUpgrade(socket, 503)
    this.lookUps += 1
    try {
      const serve = await path.endpoint.admit(request)
      // During the check other sockets may have opened, or the server may be stopping.
      const status = serve === null ? 401 : this.refusal(request, path)
      if (serve === null || status !== null) refuseUpgrade(socket, status ?? 401)
      else this.shakeHands(upgrade, serve)
    } catch (error) {
      this.options.ctx.log.error({ err: error, path: path.endpoint.path }, 'cannot check the session of a socket')
      refuseUpgrade(socket, 503)
    } finally {
      this.lookUps -= 1
    }
  }

  private shakeHands({ request, socket, head }: Upgrade, serve: ServeSocket): void {
    this.server.handleUpgrade(request, socket, head, (ws) => {
      socket.off('error', ignore)
      serve(this.keep(ws, socket, request))
    })
  }

  /** Closes all sockets with `code`. Resolves when they are closed, at the latest after `withinMs`. */
  async closeAll(code: number, reason: string, withinMs: number): Promise<void> {
    this.isClosing = true
    for (const connection of this.connections) connection.close(code, reason)
    if (this.connections.size === 0) return
    await new Promise<void>((resolve) => {
      const cancel = this.options.ctx.clock.after(withinMs, () => {
        for (const connection of this.connections) connection.terminate()
        resolve()
      })
      this.onEmpty = () => {
        cancel()
        resolve()
      }
    })
  }

  private refusal(request: IncomingMessage, path: SocketPath | null): number | null {
    if (!hasSoundHead(request)) return 400
    if (this.isClosing) return 503
    if (!this.options.isOwnOrigin(request.headers.origin, request.headers.host)) return 403
    if (path === null) return 404
    if (this.connections.size >= this.limits.total) return 503
    const subnet = subnetOf(this.options.addressOf(request))
    return (this.perSubnet.get(subnet) ?? 0) >= this.limits.perAddress ? 429 : null
  }

  private keep(ws: WebSocket, raw: Duplex, request: IncomingMessage): Connection {
    const address = this.options.addressOf(request)
    const country = this.options.countryOf(request)
    const from = { address, userAgent: request.headers['user-agent'] ?? '', country }
    const connection = new Connection(this.options.ctx, ws, raw, from)
    const subnet = subnetOf(address)
    this.connections.add(connection)
    this.perSubnet.set(subnet, (this.perSubnet.get(subnet) ?? 0) + 1)
    connection.onClose(() => {
      this.connections.delete(connection)
      const left = (this.perSubnet.get(subnet) ?? 1) - 1
      if (left > 0) this.perSubnet.set(subnet, left)
      else this.perSubnet.delete(subnet)
      if (this.connections.size === 0) this.onEmpty?.()
    })
    return connection
  }
}

interface Upgrade {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

function ignore(): void {}

/** The reply for an address without a socket, in the form that stream clients expect. */
const UNKNOWN_STREAM = JSON.stringify({ error: { code: 2, msg: 'Invalid request: unknown stream' } })

function refuseUpgrade(socket: Duplex, status: number): void {
  const text = STATUS_CODES[status] ?? ''
  const retry = status === 429 || status === 503 ? 'Retry-After: 5\r\n' : ''
  const body = status === 404 ? UNKNOWN_STREAM : ''
  const type = body === '' ? '' : 'Content-Type: application/json\r\n'
  const head = `HTTP/1.1 ${status} ${text}\r\nConnection: close\r\n${type}Content-Length: ${body.length}\r\n${retry}\r\n`
  socket.end(head + body)
}
