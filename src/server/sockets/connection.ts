import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import { SOCKET_MESSAGES } from '#server/platform/limits/limits.ts'

/** Close codes (RFC 6455 and the IANA registry) in our words. */
export const CLOSE = { notText: 1003, policy: 1008, failed: 1011, restarting: 1012, tooSlow: 1013 } as const

/** Beyond this the client is behind: prices are conflated until it has caught up. */
export const CONGESTED_BYTES = 65_536
/** Beyond this it is given up. */
export const MOST_WAITING_BYTES = 1_048_576
const UNREADABLE_BEFORE_CLOSE = 10
const GRACE_MS = SECOND_MS
const SILENT_MS = 60 * SECOND_MS

/** One socket of one client: what it is owed, how it behaves, and whether it still lives. */
export class Connection {
  readonly address: string
  private readonly ctx: Ctx
  private readonly ws: WebSocket
  private readonly raw: Duplex
  private allowance: number = SOCKET_MESSAGES.burst
  private countedAt: number
  private unreadable = 0
  private heardAt: number
  private isCorked = false

  constructor(ctx: Ctx, ws: WebSocket, raw: Duplex, address: string) {
    this.ctx = ctx
    this.ws = ws
    this.raw = raw
    this.address = address
    this.countedAt = ctx.clock.steady()
    this.heardAt = ctx.clock.steady()
    // ws answers a protocol error with its close code by itself; what is left to do is not to fall over.
    ws.on('error', (error) => {
      ctx.log.debug({ err: error, address }, 'a socket broke the protocol')
      this.terminateSoon()
    })
    ws.on('ping', () => this.mayGoOn())
    // Those that nobody asked for cost as much as messages.
    ws.on('pong', () => this.mayGoOn())
  }

  get isOpen(): boolean {
    return this.ws.readyState === WebSocket.OPEN
  }

  get waitingBytes(): number {
    return this.raw.writableLength
  }

  /** Calls back with each text message that comes at a bearable rate; binary ones end the socket. */
  onText(listener: (text: string) => void): void {
    this.ws.on('message', (data, isBinary) => {
      if (!this.isOpen || !this.mayGoOn()) return
      if (isBinary) return this.close(CLOSE.notText, 'text only')
      // The binary type of ws is left at its default, so a message is one buffer.
      if (Buffer.isBuffer(data)) listener(data.toString('utf8'))
    })
  }

  onClose(listener: () => void): void {
    this.ws.on('close', listener)
  }

  /** Sends one message ahead of any conflation: acknowledgements, results, errors. */
  send(message: object): void {
    this.write(textFrame(JSON.stringify(message)))
  }

  /**
   * The same for one of many: all that is sent to this client in the same turn of the event loop goes out in one write. Of
   * the orders that end together, those of a user are told together.
   */
  sendWithNext(message: object): void {
    if (!this.isCorked) {
      this.isCorked = true
      this.raw.cork()
      queueMicrotask(() => {
        this.isCorked = false
        this.raw.uncork()
      })
    }
    this.send(message)
  }

  /**
   * Writes prebuilt frames straight to the connection, which is what lets clients share them. Safe beside what ws sends
   * itself: without compression every frame of ws is written in one go as well.
   */
  write(frames: Buffer): void {
    if (!this.isOpen) return
    this.raw.write(frames)
    if (this.waitingBytes > MOST_WAITING_BYTES) this.close(CLOSE.tooSlow, 'too slow')
  }

  /** Counts a message that could not be understood; too many of them end the socket. */
  countUnreadable(): void {
    this.unreadable += 1
    if (this.unreadable >= UNREADABLE_BEFORE_CLOSE) this.close(CLOSE.policy, 'too many unreadable messages')
  }

  close(code: number, reason: string): void {
    if (!this.isOpen) return
    this.ws.close(code, reason)
    this.terminateSoon()
  }

  terminate(): void {
    this.ws.terminate()
  }

  /** Asks for a sign of life; gives up when there was none for a minute. */
  checkAlive(): void {
    if (this.ctx.clock.steady() - this.heardAt >= SILENT_MS) this.ws.terminate()
    else if (this.isOpen) this.ws.ping()
  }

  /** A client that does not read, or does not keep to the protocol, will not answer the closing handshake either. */
  private terminateSoon(): void {
    this.ctx.clock.after(GRACE_MS, () => this.ws.terminate())
  }

  private mayGoOn(): boolean {
    const now = this.ctx.clock.steady()
    this.heardAt = now
    const regained = ((now - this.countedAt) / SECOND_MS) * SOCKET_MESSAGES.perSecond
    this.allowance = Math.min(SOCKET_MESSAGES.burst, this.allowance + regained) - 1
    this.countedAt = now
    if (this.allowance >= 0) return true
    this.close(CLOSE.policy, 'too many messages')
    return false
  }
}
