/**
 * An open or connecting socket. The interface has only the needed parts of the browser's WebSocket, so that tests can
 * pass their own socket.
 */
export interface Wire {
  /**
   * Returns false, and sends nothing, while the socket is not open. A socket can be closing before it has called
   * `closed`.
   */
  send: (text: string) => boolean
  close: () => void
}

export interface WireEvents {
  opened: () => void
  message: (text: string) => void
  /** Called once, whether the socket ever opened or not, with the close code of the other side if there is one. */
  closed: (code?: number) => void
}

export type OpenWire = (address: string, events: WireEvents) => Wire

export interface ReconnectingOptions {
  /** Called before each attempt, so that the address can contain the current language. */
  address: () => string
  open: OpenWire
  onOpen: () => void
  onMessage: (text: string) => void
  /** Called when the connection is lost and a new attempt is scheduled. */
  onLost: (code?: number) => void
  /** Time without messages after which the connection counts as lost. Null when silence is normal. */
  silenceMs: number | null
  /** Delays between attempts. The last delay repeats. */
  backOffMs?: readonly number[]
}

export interface ReconnectingSocket {
  /** Returns false, and sends nothing, without a connection. */
  send: (message: unknown) => boolean
  isOpen: () => boolean
  /** Retries immediately: the network is back, or the page became visible. */
  retryNow: () => void
  /** Drops the connection, if any, and starts a new one immediately. */
  renew: () => void
  close: () => void
}

export const BACK_OFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const

/** `waiting` is the pause before the next attempt. */
type State = 'connecting' | 'open' | 'waiting' | 'closed'

/**
 * Opens a socket that reconnects until it is closed by the caller. Delays vary by 25 %, so that not all clients
 * reconnect to a restarted server at the same moment.
 */
export function openReconnecting(options: ReconnectingOptions): ReconnectingSocket {
  const { silenceMs, backOffMs = BACK_OFF_MS } = options
  let state: State = 'waiting'
  let wire: Wire | null = null
  let attempts = 0
  /** The timer for the pause before the next attempt, or for the longest silence of the open or connecting socket. */
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    state = 'connecting'
    const mine = options.open(options.address(), {
      opened: () => {
        if (wire !== mine) return
        state = 'open'
        awaitMessage()
        options.onOpen()
      },
      message: (text) => {
        if (wire !== mine) return
        // Only a received message resets the delays. If a server accepts the connection and closes it immediately, the
        // delays keep growing.
        attempts = 0
        awaitMessage()
        options.onMessage(text)
      },
      closed: (code) => {
        if (wire === mine) lost(code)
      },
    })
    wire = mine
    awaitMessage()
  }

  function awaitMessage(): void {
    clearTimeout(timer)
    if (silenceMs !== null) timer = setTimeout(drop, silenceMs)
  }

  /** Abandons a connection without waiting for its close handshake, which takes minutes on a dead network. */
  function drop(): void {
    const dead = wire
    lost()
    dead?.close()
  }

  function lost(code?: number): void {
    clearTimeout(timer)
    wire = null
    state = 'waiting'
    const wait = backOffMs[Math.min(attempts, backOffMs.length - 1)] ?? 0
    attempts++
    timer = setTimeout(connect, wait * (0.75 + Math.random() / 2))
    options.onLost(code)
  }

  connect()
  return {
    send: (message) => state === 'open' && wire !== null && wire.send(JSON.stringify(message)),
    isOpen: () => state === 'open',
    retryNow: () => {
      if (state === 'waiting') connect()
    },
    renew: () => {
      if (state === 'closed') return
      if (wire !== null) drop()
      connect()
    },
    close: () => {
      state = 'closed'
      clearTimeout(timer)
      const open = wire
      wire = null
      open?.close()
    },
  }
}
