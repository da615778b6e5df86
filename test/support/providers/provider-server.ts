import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** A client of the server, as the protocol sees it. */
export interface Peer {
  readonly subscribed: Set<string>
  send(text: string): void
}

export interface RestAnswer {
  readonly status: number
  readonly body: string
}

/** The protocol of a provider: how its server behaves without faults. */
export interface WireProtocol {
  /** Handles one message of a client: subscribes the client and replies. */
  hear(text: string, peer: Peer): void
  /** Returns whether a message goes to a client with these subscriptions. */
  isFor(text: string, subscribed: ReadonlySet<string>): boolean
  /** Returns the subscriptions that a client needs for the prices of a symbol. */
  names(symbol: { readonly symbol: string; readonly channel: 'trade' | 'ticker' }): readonly string[]
  answer(url: URL): RestAnswer
  /** Adds the parts of a message that are specific to one client, such as its number on that connection. */
  dress?(text: string, peer: Peer): string
  /** A message that every client receives periodically, whatever it subscribed to. */
  readonly pulse?: { readonly everyMs: number; readonly text: string }
  /** Maximum subscriptions per connection, and maximum connections. */
  readonly maxSubscriptions: number
  readonly maxConnections: number
}

/** How the server receives new clients. */
type Door = 'open' | 'refuse' | 'too-often' | 'hang' | 'mute'
type RestMood = 'well' | 'too-often' | 'failing' | 'garbage' | 'too-much' | 'hang'

interface Client extends Peer {
  readonly socket: WebSocket
  readonly wire: Duplex
  isFrozen: boolean
  /** Whether a message is being sent. Until it is complete, no other bytes may be sent. */
  isSpeaking: boolean
}

/**
 * Simulates a provider on a port of this machine. Sends a test's messages to subscribers, and misbehaves on request.
 */
export class ProviderServer {
  door: Door = 'open'
  rest: RestMood = 'well'
  /** The retry time sent in the mode `too-often`. */
  retryAfter = '1'
  /** The number of connection attempts, including refused ones. */
  knocks = 0
  /** All client messages in order, and the addresses of their calls. */
  readonly messages: string[] = []
  readonly calls: string[] = []
  /** Client behaviour that the provider would not tolerate. */
  readonly violations: string[] = []
  readonly #protocol: WireProtocol
  readonly #http: Server
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  readonly #clients = new Set<Client>()
  readonly #wires = new Set<Duplex>()

  private constructor(protocol: WireProtocol) {
    this.#protocol = protocol
    this.#http = createServer((request, response) => this.#answer(request, response))
    this.#http.on('upgrade', (request: IncomingMessage, wire: Duplex, head: Buffer) => {
      this.#receive(request, wire, head)
    })
    this.#http.on('connection', (wire: Socket) => {
      wire.setNoDelay(true)
      this.#wires.add(wire)
      wire.on('close', () => this.#wires.delete(wire))
      wire.on('error', () => undefined)
    })
  }

  static async start(protocol: WireProtocol): Promise<ProviderServer> {
    const server = new ProviderServer(protocol)
    await new Promise<void>((resolve) => {
      server.#http.listen(0, '127.0.0.1', resolve)
    })
    return server
  }

  async stop(): Promise<void> {
    for (const wire of this.#wires) wire.destroy()
    await new Promise((resolve) => {
      this.#http.close(resolve)
    })
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`
  }

  get restUrl(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** The number of clients with a completed handshake. */
  get clients(): number {
    return this.#clients.size
  }

  /** The number of open connections, including those without a handshake. */
  get wires(): number {
    return this.#wires.size
  }

  /** Returns whether a reachable client has all subscriptions for a symbol. */
  follows(symbol: Parameters<WireProtocol['names']>[0]): boolean {
    const names = this.#protocol.names(symbol)
    return this.#awake().some(({ subscribed }) => names.every((name) => subscribed.has(name)))
  }

  /** Sends messages to every subscriber. */
  say(...texts: readonly string[]): void {
    for (const text of texts)
      for (const client of this.#awake()) if (this.#protocol.isFor(text, client.subscribed)) client.send(text)
  }

  /** Sends many messages, with pauses for listeners in the same process. */
  async play(texts: readonly string[]): Promise<void> {
    for (let at = 0; at < texts.length; at += 100) {
      this.say(...texts.slice(at, at + 100))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** Sends a message to every client, whatever it subscribed to. */
  sayToAll(data: string | Buffer): void {
    for (const { socket } of this.#awake()) socket.send(data)
  }

  /** Sends a message to every client, with each byte in its own packet. */
  async saySlowly(text: string): Promise<void> {
    for (const client of this.#awake()) {
      client.isSpeaking = true
      for (const byte of frame(this.#dressed(text, client))) {
        client.wire.write(Uint8Array.of(byte))
        await new Promise((resolve) => setImmediate(resolve))
      }
      client.isSpeaking = false
    }
  }

  /** Sends half of a message and closes the connections in the middle of a frame. */
  sayHalf(text: string): void {
    for (const { wire } of this.#awake()) {
      const whole = frame(text)
      wire.end(whole.subarray(0, whole.length / 2))
    }
  }

  /** Sends invalid UTF-8 in a text frame. */
  sayNoText(): void {
    for (const { wire } of this.#awake()) wire.write(Uint8Array.of(0x81, 0x03, 0x22, 0xff, 0x22))
  }

  /** Stops sending to current clients and replying to them. Their connections stay open. */
  freeze(): void {
    for (const client of this.#clients) client.isFrozen = true
  }

  /** Closes all connections: with a closing handshake, or abruptly. */
  drop(how: 'politely' | 'rudely'): void {
    for (const { socket, wire } of this.#clients)
      if (how === 'politely') socket.close(1001, 'going away')
      else wire.destroy()
  }

  get #port(): number {
    return (this.#http.address() as AddressInfo).port
  }

  #awake(): Client[] {
    return [...this.#clients].filter((client) => !client.isFrozen && client.socket.readyState === WebSocket.OPEN)
  }

  #receive(request: IncomingMessage, wire: Duplex, head: Buffer): void {
    this.knocks += 1
    if (this.door === 'hang') return
    if (this.door === 'refuse' || this.door === 'too-often') {
      const status = this.door === 'refuse' ? '503 Service Unavailable' : '429 Too Many Requests\r\nRetry-After: 0'
      wire.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    this.#sockets.handleUpgrade(request, wire, head, (socket) => this.#welcome(socket, wire))
  }

  #welcome(socket: WebSocket, wire: Duplex): void {
    const client: Client = {
      socket,
      wire,
      subscribed: new Set(),
      isFrozen: this.door === 'mute',
      isSpeaking: false,
      send: (text) => {
        if (!client.isFrozen) socket.send(this.#dressed(text, client))
      },
    }
    this.#clients.add(client)
    this.#check(this.#clients.size <= this.#protocol.maxConnections, 'too many connections')
    socket.on('error', () => undefined)
    const { pulse } = this.#protocol
    const beats = pulse && setInterval(() => client.isSpeaking || client.send(pulse.text), pulse.everyMs)
    socket.on('close', () => {
      clearInterval(beats)
      this.#clients.delete(client)
    })
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      this.messages.push(text)
      if (client.isFrozen) return
      this.#protocol.hear(text, client)
      this.#check(client.subscribed.size <= this.#protocol.maxSubscriptions, 'too many subscriptions')
    })
  }

  #dressed(text: string, client: Client): string {
    return this.#protocol.dress?.(text, client) ?? text
  }

  #check(isFine: boolean, violation: string): void {
    if (!isFine) this.violations.push(violation)
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://localhost')
    this.calls.push(`${url.pathname}${url.search}`)
    const say = (status: number, body: string, headers: Record<string, string> = {}) =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
    switch (this.rest) {
      case 'hang':
        return
      case 'too-often':
        return say(429, '{"code":-1003,"msg":"Too many requests."}', { 'retry-after': this.retryAfter })
      case 'failing':
        return say(503, '<html>upstream</html>')
      case 'garbage':
        return say(200, '<html>hello</html>')
      case 'too-much':
        return say(200, `[${'0,'.repeat(600_000)}0]`)
      default: {
        const { status, body } = this.#protocol.answer(url)
        return say(status, body)
      }
    }
  }
}

/** Encodes a text frame like a server. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text)
  const short = payload.length < 126
  const head = Buffer.alloc(short ? 2 : 4)
  head[0] = 0x81
  head[1] = short ? payload.length : 126
  if (!short) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
