import { type CallName, FairwickError, type Input, makeCall, parseReply, type Reply } from './call.ts'
import type { ClientMessages, ServerMessage } from './contract.ts'
import { createHandlers, createResults, type Handlers, toTick } from './events.ts'
import { type Line, openLine, type SocketClass } from './line.ts'
import { createOrders, type Order, type Placed } from './orders.ts'

export { FairwickError } from './call.ts'
export type { Calls, Decimal, ServerMessage } from './contract.ts'
export type { Events, Result, Tick } from './events.ts'
export type { Order, Placed } from './orders.ts'

export interface ClientOptions {
  /** The address of the site, such as `https://trade.example.com`. */
  readonly url: string
  /** An API key. Prices and proofs need no key. */
  readonly key?: string
  /** The WebSocket class, for platforms without one: in Node 20, the class of the package `ws`. */
  readonly WebSocket?: SocketClass
}

export interface Client {
  /**
   * Makes a call: `call('GET /user/trade/{id}', { params: { id } })`. Throws a `FairwickError` when the server refuses
   * the call.
   */
  call: <Name extends CallName>(
    name: Name,
    ...input: object extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
  ) => Promise<Reply<Name>>
  /**
   * Connects, and reconnects until `close`. Resolves with the first reply of the server. Rejects when the key is not
   * accepted.
   */
  connect: () => Promise<void>
  /**
   * From now on, the server sends prices of only these symbols. With `every` it sends each tick, for at most five
   * symbols.
   */
  watch: (symbols: readonly string[], options?: { readonly every?: boolean }) => void
  /**
   * Places an order, and waits for the reply. After a lost connection the client sends the order again with the same
   * id, so that there is at most one order. Rejects with a `FairwickError` when the order was refused.
   */
  place: (order: Order) => Promise<Placed>
  /** Runs the handler for each event. Returns a function that removes the handler. */
  on: Handlers['on']
  close: () => void
}

const PING_MS = 10_000
const SUBSCRIBE_AGAIN_MS = 1_000
/** Refusals of a subscription that may end. Without a subscription no results arrive. */
const PASSING = new Set(['busy', 'key_sockets', 'rate_limited'])
/** 25 s, two ping intervals and 5 s: if no message arrives for this long, the connection counts as lost. */
const SILENCE_MS = 2 * PING_MS + 5_000

export function createClient({ url, key, WebSocket = globalThis.WebSocket }: ClientOptions): Client {
  const handlers = createHandlers()
  let line: Line | null = null
  let pings: ReturnType<typeof setInterval> | undefined
  let watched: ClientMessages['watch'] = { action: 'watch', symbols: [] }
  let isConnected = false
  let settle: { resolve: () => void; reject: (error: unknown) => void } | undefined

  const call: Client['call'] = async (name, ...[input]) =>
    (await makeCall({ url, key }, name, input ?? {})) as Reply<typeof name>
  const send = (message: ClientMessages[keyof ClientMessages]) => line?.send(message) ?? false
  const subscription = createSubscription(() => key !== undefined && send({ action: 'subscribe', token: key }))
  const results = createResults(handlers, (ids) => void (subscription.isWaiting() || send({ action: 'seen', ids })))
  const orders = createOrders({
    send: (data) => isConnected && send({ action: 'newTrade', token: key ?? null, data }),
    findRecent: async () => (await call('GET /user/trade-log/recent')).data.trades,
  })
  const ping = () => void (send({ action: 'ping', token: key ?? null }) && orders.timePing())

  function onOpen(): void {
    send(watched)
    subscription.start()
    ping()
  }

  function onLost(): void {
    subscription.stop()
    orders.lost()
    if (isConnected) handlers.emit('connection', 'lost')
    isConnected = false
  }

  function onPong(serverTime: number): void {
    orders.takeTime(serverTime)
    if (isConnected) return
    isConnected = true
    settle?.resolve()
    handlers.emit('connection', 'connected')
    orders.connected()
  }

  function onError({ code, message }: Extract<ServerMessage, { type: 'error' }>): void {
    if (code === 'key_not_allowed') return results.stopConfirming()
    const error = new FairwickError(code, message)
    if (subscription.isOver(code)) close(error)
    handlers.emit('error', error)
  }

  function close(error: unknown = new FairwickError('closed')): void {
    clearInterval(pings)
    subscription.stop()
    line?.close()
    line = null
    isConnected = false
    settle?.reject(error)
    orders.close(error)
  }

  const onText = readMessages({
    onTicks: (ticks) => ticks.forEach((tick) => handlers.emit('tick', toTick(tick))),
    onPong,
    onOrder: orders.take,
    onResult: (result) => void results.deliver(result),
    onError,
    onOther: (message) => handlers.emit('message', message),
  })

  async function connect(): Promise<void> {
    if (line !== null) throw new Error('the client is connected already')
    orders.open()
    const connected = new Promise<void>((resolve, reject) => (settle = { resolve, reject }))
    line = openLine({ url, WebSocket, silenceMs: SILENCE_MS, onOpen, onText, onLost })
    pings = setInterval(ping, PING_MS)
    return connected
  }

  const watch: Client['watch'] = (symbols, { every = false } = {}) =>
    void send((watched = { action: 'watch', symbols: [...symbols], every }))
  return { call, connect, watch, place: orders.place, on: handlers.on, close: () => close() }
}

/** Subscribes to results, and repeats a refused subscription. */
function createSubscription(subscribe: () => void) {
  let again: ReturnType<typeof setTimeout> | undefined
  const stop = (): void => {
    clearTimeout(again)
    again = undefined
  }
  const start = (): void => {
    stop()
    subscribe()
  }
  return {
    start,
    stop,
    /** While the client waits, the server refuses confirmations of results. It sends them again after the next subscription. */
    isWaiting: (): boolean => again !== undefined,
    /**
     * Whether an error means that the key is revoked: it stays revoked, and further attempts would count against its
     * owner. While the client waits, the server uses the same code for confirmations of results.
     */
    isOver: (code: string): boolean => {
      if (PASSING.has(code)) again ??= setTimeout(start, SUBSCRIBE_AGAIN_MS)
      return code === 'not_signed_in' && again === undefined
    },
  }
}

type MessageOf<Type extends string> = Extract<ServerMessage, { type: Type }>
type TickMessage = Extract<ServerMessage, { s: string }>

interface Receivers {
  readonly onTicks: (ticks: readonly TickMessage[]) => void
  readonly onPong: (serverTime: number) => void
  readonly onOrder: (reply: MessageOf<'newTrade'>) => void
  readonly onResult: (result: MessageOf<'tradeResult'>['data']) => void
  readonly onError: (error: MessageOf<'error'>) => void
  readonly onOther: (message: ServerMessage) => void
}

/** Returns a function that passes each message to its receiver. */
function readMessages(to: Receivers): (text: string) => void {
  return (text) => {
    const message = parseReply(text) as ServerMessage | null
    if (message === null) return
    if (Array.isArray(message)) to.onTicks(message)
    else if ('s' in message) to.onTicks([message])
    else if (message.type === 'pong') to.onPong(message.data.serverTime)
    else if (message.type === 'newTrade') to.onOrder(message)
    else if (message.type === 'tradeResult') to.onResult(message.data)
    else if (message.type === 'error') to.onError(message)
    else to.onOther(message)
  }
}
