import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'
/** Shared read buffer: its content is handled before the next socket reads. */
const READ = Buffer.alloc(65_536)
const NOTHING = Buffer.alloc(0)

/**
 * A minimal WebSocket client, which must need less time than the server it measures. Messages are masked with zeros, so
 * the server does all its work. Received messages are passed as bytes `from` to `to`.
 */
export class OrderSocket {
  readonly #socket: Socket
  #rest: Buffer = NOTHING
  #whyClosed = 'without a word'

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static open(port: number, hear: (bytes: Buffer, from: number, to: number) => void): Promise<OrderSocket> {
    return new Promise((resolve, reject) => {
      let head: string | null = ''
      const callback = (length: number): boolean => {
        if (head === null) {
          opened.#take(READ.subarray(0, length), hear)
          return true
        }
        head += READ.toString('latin1', 0, length)
        const end = head.indexOf(HEAD_END)
        if (end === -1) return true
        if (head.startsWith('HTTP/1.1 101')) resolve(opened)
        else reject(new Error(`no socket: ${head.slice(0, 60)}`))
        const early = Buffer.from(head.slice(end + HEAD_END.length), 'latin1')
        head = null
        opened.#take(early, hear)
        return true
      }
      const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: READ, callback } })
      const opened = new OrderSocket(socket)
      socket.on('error', reject)
      socket.on('connect', () => {
        const key = randomBytes(16).toString('base64')
        socket.write(
          `GET /ws/app HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
            `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}${HEAD_END}`,
        )
      })
    })
  }

  /** Sends a Latin-1 message. */
  send(text: string): void {
    const { length } = text
    const head = length < 126 ? 6 : 8
    // Uses Node's buffer pool, as zero-filled buffers are newly allocated each time.
    const frame = Buffer.allocUnsafe(head + length)
    frame[0] = 0x81
    if (head === 6) frame[1] = 0x80 | length
    else {
      frame[1] = 0x80 | 126
      frame.writeUInt16BE(length, 2)
    }
    frame.fill(0, head - 4, head)
    frame.write(text, head, 'latin1')
    this.#socket.write(frame)
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Calls the listener with the close code and reason of the server. */
  onClose(listener: (why: string) => void): void {
    this.#socket.on('close', () => listener(this.#whyClosed))
  }

  #take(chunk: Buffer, hear: (bytes: Buffer, from: number, to: number) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (at + 2 <= bytes.length) {
      const short = (bytes[at + 1] ?? 0) & 0x7f
      const from = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (from > bytes.length) break
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
      if (from + length > bytes.length) break
      const kind = (bytes[at] ?? 0) & 0x0f
      if (kind === 1) hear(bytes, from, from + length)
      else if (kind === 8)
        this.#whyClosed = `${bytes.readUInt16BE(from)} ${bytes.toString('utf8', from + 2, from + length)}`
      else if (kind === 9) this.#socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]))
      at = from + length
    }
    // The incomplete frame is copied, as the next read overwrites the read buffer.
    this.#rest = at === bytes.length ? NOTHING : Buffer.from(bytes.subarray(at))
  }
}
