/** A socket that is open or on its way: the little that is needed of the browser's, so that tests bring another. */
export interface Wire {
  /** False, and nothing is sent, while it is not open: one that is being closed may not have told so yet. */
  send: (text: string) => boolean
  close: () => void
}

export interface WireEvents {
  opened: () => void
  message: (text: string) => void
  /** Once, whether it ever opened or not; with the code the other side closed with, if it said one. */
  closed: (code?: number) => void
}

export type OpenWire = (address: string, events: WireEvents) => Wire

export interface ReconnectingOptions {
  /** Asked before each attempt, so that it can carry the current language. */
  address: () => string
  open: OpenWire
  onOpen: () => void
  onMessage: (text: string) => void
  /** The connection is gone; another attempt is on its way. */
  onLost: (code?: number) => void
  /** How long nothing may come before the connection counts as dead; null where silence is normal. */
  silenceMs: number | null
  /** Waiting times between attempts; the last one repeats. */
  backOffMs?: readonly number[]
}

export interface ReconnectingSocket {
  /** False, and nothing is sent, while there is no connection. */
  send: (message: unknown) => boolean
  isOpen: () => boolean
  /** Does not wait for the next attempt: the network is back, or the page is looked at again. */
  retryNow: () => void
  /** Drops the connection, if there is one, and starts a new one at once. */
  renew: () => void
  close: () => void
}

export const BACK_OFF_MS = [1_000, 2_000, 4_000, 8_000, 16_000] as const

/** A socket that opens itself anew until it is closed for good. Waiting times vary by a quarter, so that a restarted
 * server is not met by everybody in the same moment. */
export function openReconnecting(options: ReconnectingOptions): ReconnectingSocket {
  const { silenceMs, backOffMs = BACK_OFF_MS } = options
  let wire: Wire | null = null
  let isOpen = false
  let isDone = false
  let attempts = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined

  function connect(): void {
    clearTimeout(retry)
    retry = undefined
    const mine = options.open(options.address(), {
      opened: () => {
        if (wire !== mine) return
        isOpen = true
        heard()
        options.onOpen()
      },
      message: (text) => {
        if (wire !== mine) return
        // Only a server that talks counts as back: one that accepts and closes at once keeps us waiting longer.
        attempts = 0
        heard()
        options.onMessage(text)
      },
      closed: (code) => {
        if (wire === mine) lost(code)
      },
    })
    wire = mine
    heard()
  }

  function heard(): void {
    clearTimeout(silence)
    if (silenceMs !== null) silence = setTimeout(drop, silenceMs)
  }

  /** Gives up on a connection without waiting for its goodbye, which on a dead network takes minutes. */
  function drop(): void {
    const dead = wire
    lost()
    dead?.close()
  }

  function lost(code?: number): void {
    clearTimeout(silence)
    wire = null
    isOpen = false
    if (isDone) return
    const wait = backOffMs[Math.min(attempts, backOffMs.length - 1)] ?? 0
    attempts++
    retry = setTimeout(connect, wait * (0.75 + Math.random() / 2))
    options.onLost(code)
  }

  connect()
  return {
    send: (message) => isOpen && wire !== null && wire.send(JSON.stringify(message)),
    isOpen: () => isOpen,
    retryNow: () => {
      if (retry !== undefined && !isDone) connect()
    },
    renew: () => {
      if (isDone) return
      if (wire !== null) drop()
      connect()
    },
    close: () => {
      isDone = true
      clearTimeout(retry)
      clearTimeout(silence)
      const open = wire
      wire = null
      isOpen = false
      open?.close()
    },
  }
}
