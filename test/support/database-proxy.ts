import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

interface Pair {
  readonly client: Socket
  readonly server: Socket
  /** Nothing passes any more, in either direction, and nobody is told. */
  isDead: boolean
  readonly held: { readonly to: Socket; readonly bytes: Buffer }[]
}

/** A proxy before a database that does what networks and lost machines do. Loopback only. */
export class DatabaseProxy {
  /** The address of the database by way of the proxy. */
  readonly url: string
  readonly #server: Server
  readonly #pairs = new Set<Pair>()
  readonly #target: { readonly host: string; readonly port: number }
  #isStalled = false
  #swallows: (startup: string) => boolean = () => false
  /** What new connections are answered, as the database does when it has none left. */
  #refusal: Buffer | null = null

  private constructor(server: Server, url: URL, target: { host: string; port: number }) {
    this.#server = server
    this.url = url.href
    this.#target = target
    server.on('connection', (client) => this.#join(client))
  }

  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const url = new URL(databaseUrl)
    const target = { host: url.hostname, port: Number(url.port || 5432) }
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    url.hostname = '127.0.0.1'
    url.port = String((server.address() as AddressInfo).port)
    return new DatabaseProxy(server, url, target)
  }

  /** The host of the database is gone without a word: what is open stays open and silent. New connections work. */
  vanish(): void {
    for (const pair of this.#pairs) {
      pair.isDead = true
      pair.server.destroy()
    }
  }

  /** New connections are taken and never answered, those whose first message fits. */
  swallow(fits: (startup: string) => boolean = () => true): void {
    this.#swallows = fits
  }

  /** New connections are turned away with this error of the database. */
  refuse(sqlState: string, message: string): void {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
    const head = Buffer.alloc(5)
    head.write('E')
    head.writeInt32BE(fields.length + 4, 1)
    this.#refusal = Buffer.concat([head, fields])
  }

  /** New connections work again. */
  answer(): void {
    this.#swallows = () => false
    this.#refusal = null
  }

  /** The network stands still for everybody. */
  stall(): void {
    this.#isStalled = true
  }

  /** What was held is delivered, and all goes on. */
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
    const server = connect(this.#target.port, this.#target.host)
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
      // A host that is gone says no goodbye.
      if (!pair.isDead) client.destroy()
    })
  }
}
