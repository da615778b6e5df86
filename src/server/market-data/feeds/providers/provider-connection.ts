import { type ClientOptions, type RawData, WebSocket } from 'ws'
import { peerOf } from '#server/market-data/feeds/providers/peer-certificate.ts'
import type { ProviderTools } from '#server/market-data/feeds/providers/provider.ts'
import { retryAfterMs } from '#server/market-data/feeds/providers/retry-after.ts'
import type { SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

/** Receives the events of a connection. `closed` is called once, as the last event. */
export interface LineListener {
  opened(): void
  /** Returns whether the message could be read. An unreadable message does not show that the connection works. */
  message(text: string): boolean
  /** Half of the silence limit has passed: request a reply. */
  quiet(): void
  /** `waitMs`: how long the provider wants no new connection. */
  closed(why: string, waitMs: number): void
}

const SILENCE_STEPS = 10

export interface LineAddress {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One connection to a provider, from handshake to end. It monitors itself and never throws. */
export class ProviderConnection {
  readonly #socket: WebSocket | null = null
  readonly #tools: ProviderTools
  readonly #limits: SocketLimits
  readonly #listener: LineListener
  readonly #waiting: string[] = []
  readonly #timers = new Set<() => void>()
  #isSending = false
  #isClosed = false
  #quietSteps = 0
  #sawFrame = true

  constructor(tools: ProviderTools, limits: SocketLimits, { url, headers }: LineAddress, listener: LineListener) {
    this.#tools = tools
    this.#limits = limits
    this.#listener = listener
    const options: ClientOptions = { perMessageDeflate: false, maxPayload: limits.maxBytes }
    if (headers !== undefined) options.headers = { ...headers }
    try {
      this.#socket = new WebSocket(url, options)
    } catch {
      // The error would contain the address, which may contain a key.
      this.#after(0, () => this.end('its address is no WebSocket address'))
      return
    }
    this.#listen(this.#socket)
    this.#socket.on('upgrade', ({ socket }) => {
      const peer = peerOf(new URL(url).host, socket)
      if (peer !== null) tools.onPeer?.(peer)
    })
    this.#after(limits.openWithinMs, () => {
      if (this.#socket?.readyState === WebSocket.CONNECTING) this.end('the handshake took too long')
    })
  }

  /** Queues a message. Providers drop clients that send too fast. */
  send(text: string): void {
    this.#waiting.push(text)
    if (!this.#isSending) this.#sendNext()
  }

  /** Cuts the connection and reports the reason. */
  end(why: string, waitMs = 0): void {
    if (this.#isClosed) return
    this.#forget()
    this.#socket?.terminate()
    this.#listener.closed(why, waitMs)
  }

  /** Closes without reporting. Resolves when the socket is closed. */
  close(): Promise<void> {
    this.#forget()
    const socket = this.#socket
    if (socket === null || socket.readyState === WebSocket.CLOSED) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#tools.clock.after(this.#limits.closeWithinMs, () => socket.terminate())
      socket.once('close', () => {
        cancel()
        resolve()
      })
      if (socket.readyState === WebSocket.OPEN) socket.close(1000)
      else socket.terminate()
    })
  }

  #forget(): void {
    this.#isClosed = true
    this.#waiting.length = 0
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
  }

  #listen(socket: WebSocket): void {
    socket.on('open', () => {
      if (this.#isClosed) return
      this.#watchOn()
      if (this.#limits.pingEveryMs !== null) this.#ping(this.#limits.pingEveryMs)
      this.#listener.opened()
    })
    socket.on('message', (data, isBinary) => {
      if (this.#isClosed) return
      this.#sawFrame = true
      if (this.#listener.message(isBinary ? '' : textOf(data))) this.#quietSteps = 0
    })
    socket.on('ping', () => {
      this.#sawFrame = true
    })
    socket.on('pong', () => {
      this.#sawFrame = true
    })
    socket.on('unexpected-response', (request, { statusCode, headers }) => {
      request.destroy()
      const waitMs = retryAfterMs(headers['retry-after'], this.#tools.clock.now())
      this.end(`the handshake returned HTTP ${statusCode}`, waitMs)
    })
    // This listener is never removed, because `ws` emits an error even when we cut a connection that is being opened.
    socket.on('error', (error) => this.end(`the connection failed: ${plainWords(error)}`))
    socket.on('close', (code, reason) => this.end(`the provider closed it: ${code} ${reason.toString()}`.trim()))
  }

  /**
   * Counts timer steps without a message rather than time. After a busy period, timers run before waiting socket messages, so elapsed time
   * would cut a live connection. Changes of the clock have no effect either.
   */
  #watch(): void {
    this.#quietSteps += 1
    if (this.#quietSteps >= SILENCE_STEPS) return this.end(`nothing was heard for ${this.#limits.silenceMs} ms`)
    if (this.#quietSteps === SILENCE_STEPS / 2) this.#listener.quiet()
    this.#watchOn()
  }

  #watchOn(): void {
    this.#after(this.#limits.silenceMs / SILENCE_STEPS, () => this.#watch())
  }

  #ping(everyMs: number): void {
    if (!this.#sawFrame) return this.end('a ping was not answered')
    this.#sawFrame = false
    this.#socket?.ping()
    this.#after(everyMs, () => this.#ping(everyMs))
  }

  #sendNext(): void {
    const text = this.#waiting.shift()
    this.#isSending = text !== undefined
    if (text === undefined) return
    // A message that a closing socket does not take can be dropped: the next connection requests everything again.
    this.#socket?.send(text, () => undefined)
    this.#after(this.#limits.betweenSendsMs, () => this.#sendNext())
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#tools.clock.after(ms, () => {
      this.#timers.delete(cancel)
      if (!this.#isClosed) run()
    })
    this.#timers.add(cancel)
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return data instanceof ArrayBuffer ? Buffer.from(data).toString() : data.toString()
}

/** The error text without addresses, which may contain a key. */
function plainWords(error: Error): string {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null
  return code ?? error.message.replaceAll(/[a-z]+:\/\/\S+|\?\S+/gi, '…').slice(0, 200)
}
