/** The part of a `WebSocket`, of a browser or of the package `ws`, that the client uses. */
export interface Socket {
  readonly readyState: number
  send(text: string): void
  close(): void
  addEventListener(kind: 'open' | 'message' | 'close' | 'error', listener: (event: SocketEvent) => void): void
}
interface SocketEvent {
  readonly type: string
  readonly data?: unknown
}
export type SocketClass = new (address: string) => Socket

/** The delays between attempts grow from 0.5 s to 30 s. */
const MIN_DELAY_MS = 500
const MAX_DELAY_MS = 30_000
const OPEN = 1

export interface LineOptions {
  /** The address of the site. */
  readonly url: string
  readonly WebSocket: SocketClass
  /** Time without a message after which the connection counts as lost. A network failure by itself sends no event. */
  readonly silenceMs: number
  readonly onOpen: () => void
  readonly onText: (text: string) => void
  readonly onLost: () => void
}

export interface Line {
  /** Without a connection, sends nothing and returns false. */
  send: (message: object) => boolean
  close: () => void
}

/** Opens a socket that reconnects until it is closed. */
export function openLine({ url, WebSocket, silenceMs, onOpen, onText, onLost }: LineOptions): Line {
  const address = new URL('/ws/app', url.replace(/^http/, 'ws')).href
  let socket: Socket | null = null
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    const mine = new WebSocket(address)
    socket = mine
    const whileMine = (act: (event: SocketEvent) => void) => (event: SocketEvent) => {
      if (socket === mine) act(event)
    }
    mine.addEventListener('open', whileMine(onOpen))
    mine.addEventListener(
      'message',
      whileMine(({ data }) => {
        // Only a message resets the delays. A server that accepts connections and closes them immediately keeps the
        // delays growing.
        attempts = 0
        awaitMessage()
        onText(String(data))
      }),
    )
    mine.addEventListener('close', whileMine(lost))
    // A failed attempt also emits `close`. Without a listener for `error`, `ws` would throw the error.
    mine.addEventListener('error', () => {})
    awaitMessage()
  }

  function awaitMessage(): void {
    clearTimeout(timer)
    timer = setTimeout(() => {
      const dead = socket
      lost()
      dead?.close()
    }, silenceMs)
  }

  function lost(): void {
    clearTimeout(timer)
    socket = null
    const maxDelay = Math.min(MAX_DELAY_MS, 2 * MIN_DELAY_MS * 2 ** attempts)
    attempts += 1
    // The delay is random, so that not all programs reconnect to a restarted server at the same moment.
    timer = setTimeout(connect, MIN_DELAY_MS + Math.random() * (maxDelay - MIN_DELAY_MS))
    onLost()
  }

  connect()
  return {
    send: (message) => {
      if (socket?.readyState !== OPEN) return false
      socket.send(JSON.stringify(message))
      return true
    },
    close: () => {
      clearTimeout(timer)
      const open = socket
      socket = null
      open?.close()
    },
  }
}
