import type { Decimal, ServerMessage } from './contract.ts'

/** The result of an order. */
export type Result = Extract<ServerMessage, { type: 'tradeResult' }>['data']

/**
 * A price of a watched symbol. `q` is its sequence number in the tick log, present only with `every`. `isPast`: no
 * order is accepted at this price.
 */
export interface Tick {
  readonly symbol: string
  readonly price: Decimal
  readonly timeMs: number
  readonly isPast: boolean
  readonly q?: number
}

export interface Events {
  tick: Tick
  /**
   * The result counts as seen when all handlers have returned. Otherwise the server sends it again after the next
   * connection.
   */
  result: Result
  /** `connected` after each connection, `lost` after each loss. */
  connection: 'connected' | 'lost'
  /** The server refused a message, or a handler of results threw. */
  error: unknown
  /** A message of the server that is neither a price, a result, an error, nor the reply to an order or a ping. */
  message: ServerMessage
}

type Handler<Name extends keyof Events> = (event: Events[Name]) => unknown

export interface Handlers {
  /** Runs the handler for each event. Returns a function that removes the handler. */
  readonly on: <Name extends keyof Events>(name: Name, handler: Handler<Name>) => () => void
  readonly emit: <Name extends keyof Events>(name: Name, event: Events[Name]) => unknown[]
  readonly has: (name: keyof Events) => boolean
}

export function createHandlers(): Handlers {
  const handlers: { [Name in keyof Events]: Set<Handler<Name>> } = {
    tick: new Set(),
    result: new Set(),
    connection: new Set(),
    error: new Set(),
    message: new Set(),
  }
  return {
    on: (name, handler) => {
      handlers[name].add(handler)
      return () => handlers[name].delete(handler)
    },
    emit: (name, event) => [...handlers[name]].map((handler) => handler(event)),
    has: (name) => handlers[name].size > 0,
  }
}

/** The maximum number of results remembered as handled. A server sends at most this many results again. */
const MAX_HANDLED = 1_000

/** Gives each result to its handlers once, and confirms the result when all handlers have returned. */
export function createResults({ emit, has }: Handlers, sendSeen: (ids: string[]) => void) {
  const handled = new Set<string>()
  const underWay = new Set<string>()
  // A key with the scope `read` cannot confirm results.
  let confirms = true
  return {
    /**
     * Call this when the server sends an error with the code `key_not_allowed`. This error can only mean a
     * confirmation, because a refused order has its own kind of reply.
     */
    stopConfirming: (): void => {
      confirms = false
    },
    deliver: async (result: Result): Promise<void> => {
      const { id } = result
      if (underWay.has(id) || !has('result')) return
      underWay.add(id)
      try {
        if (!handled.has(id)) await Promise.all(emit('result', result))
        handled.add(id)
        if (handled.size > MAX_HANDLED) for (const oldest of [...handled].slice(0, 1)) handled.delete(oldest)
        if (confirms) sendSeen([id])
      } catch (error) {
        emit('error', error)
      } finally {
        underWay.delete(id)
      }
    },
  }
}

/**
 * `E` and `t` are the time of the tick in ms. Only ticks of crypto symbols have `E`, and only their names end in
 * `USDT`.
 */
export function toTick({ s, c, E, t, past, q }: Extract<ServerMessage, { s: string }>): Tick {
  const name = s.replace(/^OANDA:/, '')
  return {
    symbol: E === undefined ? name : name.replace(/USDT$/, ''),
    price: c,
    timeMs: E ?? t ?? 0,
    isPast: past ?? false,
    ...(q !== undefined && { q }),
  }
}
