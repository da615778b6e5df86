import { connect, type Socket } from 'node:net'
import { FrameWalker } from './frames.ts'

export interface RawClientOptions {
  readonly port: number
  /** The path of a WebSocket. Null for bare TCP with the same frames. */
  readonly path: string | null
  readonly from?: string
  /** Message to send once the socket is open. */
  readonly say?: string
  /** Called with the number of received text frames. */
  readonly onTexts?: (count: number) => void
  /** Called with each text. Slower than `onTexts`, because the texts must be copied and decoded. */
  readonly onText?: (text: string) => void
  readonly onClose?: () => void
}

/** One buffer for all sockets of this process, so that the readers are not the bottleneck. */
const memory = Buffer.alloc(65_536)
const KEY = 'MDEyMzQ1Njc4OWFiY2RlZg=='
/** An empty pong frame. All frames of clients must be masked; a mask of zeros leaves the bytes unchanged. */
const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0])

/** Opens a client with minimal processor time. */
export function openRawClient(options: RawClientOptions): Promise<Socket> {
  const { port, path, from, say, onTexts, onText, onClose } = options
  return new Promise((resolve, reject) => {
    let head: string | null = path === null ? null : ''
    const frames = new FrameWalker({ onPing: () => socket.write(PONG), ...(onText && { onText }) })
    const walk = (bytes: Buffer): void => {
      const before = frames.texts
      frames.walk(bytes)
      if (frames.texts > before) onTexts?.(frames.texts - before)
    }
    const opened = (): void => {
      if (say !== undefined) socket.write(clientFrame(say))
      resolve(socket)
    }
    const hear = (count: number): boolean => {
      if (head === null) {
        walk(memory.subarray(0, count))
        return true
      }
      head += memory.toString('latin1', 0, count)
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return true
      if (head.startsWith('HTTP/1.1 101')) opened()
      else reject(new Error(head.slice(0, end)))
      const early = Buffer.from(head.slice(end + 4), 'latin1')
      head = null
      if (early.length > 0) walk(early)
      return true
    }
    const socket = connect({
      port,
      host: '127.0.0.1',
      ...(from !== undefined && { localAddress: from }),
      noDelay: true,
      onread: { buffer: memory, callback: hear },
    })
    socket.on('error', reject)
    socket.on('close', () => onClose?.())
    socket.on('connect', () => {
      if (path === null) opened()
      else
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
            `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${KEY}\r\n\r\n`,
        )
    })
  })
}

/** Encodes a short text as a client frame. */
function clientFrame(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 65_535) throw new Error('too long for a client of this')
  const head = bytes.length < 126 ? [0x81, 0x80 | bytes.length] : [0x81, 0xfe, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from(head), Buffer.alloc(4), bytes])
}

/** Opens many sockets, a few at a time. */
export async function openMany(count: number, open: (nth: number) => Promise<Socket>): Promise<Socket[]> {
  const sockets: Socket[] = []
  const step = 100
  for (let from = 0; from < count; from += step) {
    const some = Array.from({ length: Math.min(step, count - from) }, (_, nth) => open(from + nth))
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}
