import type { Duplex } from 'node:stream'
import { WebSocket } from 'ws'
import { SECOND_MS } from '#core/time/instant.ts'
import type { Device } from '#server/platform/http/signed-in.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { textFrame } from '#server/sockets/text-frame.ts'
import { SOCKET_MESSAGES } from '#server/platform/limits/limits.ts'

/** Close codes of RFC 6455 and the IANA registry, by their meaning here. */
export const CLOSE = { notText: 1003, policy: 1008, failed: 1011, restarting: 1012, tooSlow: 1013 } as const

/** 64 KB of unsent bytes. With more, the client is behind, and prices are conflated until it has caught up. */
export const CONGESTED_BYTES = 65_536
/** 1 MB of unsent bytes. With more, the connection is closed. */
export const MAX_WAITING_BYTES = 1_048_576
const UNREADABLE_BEFORE_CLOSE = 10
const GRACE_MS = SECOND_MS
const SILENT_MS = 60 * SECOND_MS

/** One socket of one client: its unsent bytes, its message rate and its liveness. */
export class Connection {
  readonly from: Device
  private readonly ctx: Ctx
  private readonly ws: WebSocket
  private readonly raw: Duplex
  private allowance: number = SOCKET_MESSAGES.burst
  private countedAt: number
  private unreadable = 0
  private lastMessageAt: number
  private isCorked = false

  constructor(ctx: Ctx, ws: WebSocket, raw: Duplex, from: Device) {
    this.ctx = ctx
    this.ws = ws
    this.raw = raw
    this.from = from
    this.countedAt = ctx.clock.steady()
    this.lastMessageAt = ctx.clock.steady()
    // ws answers a protocol error with the close code itself. The listener only prevents an unhandled error.
    ws.on('error', (error) => {
      ctx.log.debug({ err: error, address: from.address }, 'a client broke the socket protocol')
      this.terminateSoon()
    })
    ws.on('ping', () => this.mayGoOn())
    // Unrequested pongs cost as much as messages, so they count towards the rate limit.
    ws.on('pong', () => this.mayGoOn())
  }

  get isOpen(): boolean {
    return this.ws.readyState === WebSocket.OPEN
  }

  get waitingBytes(): number {
    return this.raw.writableLength
  }

  /** Calls `listener` with each text message within the rate limit. Binary messages close the socket. */
  onText(listener: (text: string) => void): void {
    this.ws.on('message', (data, isBinary) => {
      if (!this.isOpen || !this.mayGoOn()) return
      if (isBinary) return this.close(CLOSE.notText, 'text only')
      // The binary type of ws keeps its default, so each message is one buffer.
      if (Buffer.isBuffer(data)) listener(data.toString('utf8'))
    })
  }

  onClose(listener: () => void): void {
    this.ws.on('close', listener)
  }

  /** Sends one message without conflation: acknowledgements, results and errors. */
  send(message: object): void {
    this.write(textFrame(JSON.stringify(message)))
  }

  /**
   * Sends a message together with others: all messages to this client in the same turn of the event loop go out in one
   * write. Results of orders that settle at the same time are sent with this method.
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
   * Writes prebuilt frames directly to the connection, so that clients can share the frames. Frames of ws itself do not
   * interfere: without compression, ws also writes each frame in one piece.
   */
  write(frames: Buffer): void {
    if (!this.isOpen) return
    this.raw.write(frames)
    if (this.waitingBytes > MAX_WAITING_BYTES) this.close(CLOSE.tooSlow, 'too slow')
  }

  /** Counts an unreadable message. Too many of them close the socket. */
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

  /** Sends a ping, and terminates a client that has not responded for a minute. */
  checkAlive(): void {
    if (this.ctx.clock.steady() - this.lastMessageAt >= SILENT_MS) this.ws.terminate()
    else if (this.isOpen) this.ws.ping()
  }

  /**
   * Terminates the connection after a short wait. A client that does not read or breaks the protocol would not answer
   * the closing handshake.
   */
  private terminateSoon(): void {
    this.ctx.clock.after(GRACE_MS, () => this.ws.terminate())
  }

  private mayGoOn(): boolean {
    const now = this.ctx.clock.steady()
    this.lastMessageAt = now
    const regained = ((now - this.countedAt) / SECOND_MS) * SOCKET_MESSAGES.perSecond
    this.allowance = Math.min(SOCKET_MESSAGES.burst, this.allowance + regained) - 1
    this.countedAt = now
    if (this.allowance >= 0) return true
    this.close(CLOSE.policy, 'too many messages')
    return false
  }
}
