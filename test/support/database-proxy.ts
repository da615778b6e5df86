import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Whether traffic is blocked in both directions, without closing the connection. */
  isDead: boolean
  readonly held: { readonly to: Socket; readonly bytes: Buffer }[]
}

/** A proxy before a database that simulates failures of networks and machines. Loopback only. */
export class DatabaseProxy {
  /** The database URL through the proxy. */
  readonly url: string
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #target: NetConnectOpts
  #isStalled = false
  #swallows: (startup: string) => boolean = () => false
  /** The reply to new connections: an error like that of a database without free connections. */
  #refusal: Buffer | null = null

  private constructor(server: Server, url: URL, target: NetConnectOpts) {
    this.#server = server
    this.url = url.href
    this.#target = target
    server.on('connection', (client) => this.#join(client))
  }

  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const url = new URL(databaseUrl)
    const folder = url.searchParams.get('host')
    const port = Number(url.port || 5432)
    const target = folder === null ? { host: url.hostname, port } : { path: join(folder, `.s.PGSQL.${port}`) }
    url.searchParams.delete('host')
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    url.hostname = '127.0.0.1'
    url.port = String((server.address() as AddressInfo).port)
    return new DatabaseProxy(server, url, target)
  }

  /** Simulates the sudden loss of the database host: open connections stay open and silent. New connections work. */
  vanish(): void {
    for (const pair of this.#pairs) {
      pair.isDead = true
      pair.server.destroy()
    }
  }

  /** Accepts new connections and never answers those whose first message matches. */
  swallow(fits: (startup: string) => boolean = () => true): void {
    this.#swallows = fits
  }

  /** Refuses new connections with this database error. */
  refuse(sqlState: string, message: string): void {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
    const head = Buffer.alloc(5)
    head.write('E')
    head.writeInt32BE(fields.length + 4, 1)
    this.#refusal = Buffer.concat([head, fields])
  }

  /** Replies to new connections normally again. */
  answer(): void {
    this.#swallows = () => false
    this.#refusal = null
  }

  /** Blocks all traffic. */
  stall(): void {
    this.#isStalled = true
  }

  /** Delivers the blocked traffic and continues. */
  flow(): void {
    this.#isStalled = false
    for (const { held } of this.#pairs) for (const { to, bytes } of held.splice(0)) to.write(bytes)
  }

  async stop(): Promise<void> {
    this.#server.close()
    for (const { client, server } of this.#pairs) {
      client.destroy()
      server.destroy()
    }
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    const server = connect(this.#target)
    const pair: Pair = { client, server, isDead: false, held: [] }
    this.#pairs.add(pair)
    client.once('data', (bytes) => {
      if (this.#refusal !== null) {
        pair.isDead = true
        server.destroy()
        client.end(this.#refusal)
        return
      }
      if (this.#swallows(bytes.toString('latin1'))) {
        pair.isDead = true
        server.destroy()
      }
    })
    const pass = (to: Socket) => (bytes: Buffer) => {
      if (pair.isDead) return
      if (this.#isStalled) pair.held.push({ to, bytes })
      else to.write(bytes)
    }
    client.on('data', pass(server))
    server.on('data', pass(client))
    client.on('error', () => {})
    server.on('error', () => {})
    client.on('close', () => {
      this.#pairs.delete(pair)
      server.destroy()
    })
    server.on('close', () => {
      // A host that is lost without notice cannot close its connections.
      if (!pair.isDead) client.destroy()
    })
  }
}
