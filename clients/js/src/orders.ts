import { FairwickError, type Reply } from './call.ts'
import type { ClientMessages, Decimal, ServerMessage } from './contract.ts'

type NewTrade = ClientMessages['newTrade']['data']
type OwnTrade = Reply<'GET /user/trade-log/recent'>['data']['trades'][number]
type OrderReply = Extract<ServerMessage, { type: 'newTrade' }>

export interface Order extends Omit<NewTrade, 'amount' | 'clientOrderId' | 'validUntil'> {
  readonly amount: Decimal
  /** A program that stores its orders before it places them sets this id. Without it, the client creates an id. */
  readonly clientOrderId?: string
  /** How long after `place` the order may be opened, in milliseconds. The default is 5,000. */
  readonly validMs?: number
}

/** An order that the server accepted. */
export interface Placed
  extends Pick<
    OwnTrade,
    | 'id'
    | 'trx'
    | 'clientOrderId'
    | 'symbol'
    | 'high_low'
    | 'amount'
    | 'profit_percentage'
    | 'opened_at'
    | 'expires_at'
    | 'entry'
  > {
  /** The entry price. */
  readonly price: Decimal
}

interface Waiting {
  readonly data: NewTrade & { readonly clientOrderId: string }
  validMs: number
  sent: number
  readonly resolve: (placed: Placed) => void
  readonly reject: (error: unknown) => void
}

const VALID_MS = 5_000
const AGAIN_MS = 1_000
/**
 * 2 s: how long after `validUntil` the client still sends an undecided order again. The client only measures the
 * server's clock, so the order may still be valid there.
 */
const MARGIN_MS = 2_000
/** Replies that do not tell whether an earlier message with the same order was accepted. */
const UNDECIDED = new Set(['busy', 'rate_limited', 'restarting', 'server_error'])

export interface OrdersOptions {
  /** Without a connection, sends nothing and returns false. */
  readonly send: (data: NewTrade) => boolean
  /** Loads the user's orders, newest first. */
  readonly findRecent: () => Promise<readonly OwnTrade[]>
}

/** Places each order at most once, and finds out whether the server accepted it. */
export function createOrders({ send, findRecent }: OrdersOptions) {
  const waiting = new Map<string, Waiting>()
  let pingedAt: number | null = null
  /** The server's time minus the time of this device. */
  let offsetMs: number | null = null
  let closed: { readonly error: unknown } | undefined
  const serverNow = () => Date.now() + (offsetMs ?? 0)

  function trySend(order: Waiting): void {
    // An order that was placed before the first connection is not sent until the server's clock is known.
    if (offsetMs === null || !waiting.has(order.data.clientOrderId)) return
    order.data.validUntil ??= Math.floor(serverNow()) + order.validMs
    if (send(order.data)) order.sent += 1
  }

  function end(order: Waiting, act: () => void): void {
    if (waiting.delete(order.data.clientOrderId)) act()
  }

  /** The server can refuse a repeated order although it accepted the first message, for example during a pause. */
  async function lookUp(order: Waiting, refusal: FairwickError): Promise<void> {
    if (!waiting.has(order.data.clientOrderId)) return
    try {
      const found = (await findRecent()).find((one) => one.clientOrderId === order.data.clientOrderId)
      end(order, () => (found === undefined ? order.reject(refusal) : order.resolve(toPlaced(found))))
    } catch (error) {
      // Further calls with a revoked key would count against its owner.
      if (error instanceof FairwickError && error.status === 401) end(order, () => order.reject(error))
      if (waiting.has(order.data.clientOrderId)) setTimeout(() => void lookUp(order, refusal), AGAIN_MS)
    }
  }

  function refused(order: Waiting, refusal: FairwickError): void {
    const isUndecided = UNDECIDED.has(refusal.code)
    if (isUndecided && serverNow() < (order.data.validUntil ?? 0) + MARGIN_MS)
      setTimeout(() => trySend(order), AGAIN_MS)
    else if (order.sent > 1 || isUndecided) void lookUp(order, refusal)
    else end(order, () => order.reject(refusal))
  }

  return {
    place: ({ validMs = VALID_MS, ...order }: Order): Promise<Placed> =>
      new Promise((resolve, reject) => {
        const { clientOrderId = newOrderId() } = order
        if (closed !== undefined) throw closed.error
        if (waiting.has(clientOrderId)) throw new Error('an order with this id is waiting for its reply')
        const mine = { data: { ...order, clientOrderId }, validMs, sent: 0, resolve, reject }
        waiting.set(clientOrderId, mine)
        trySend(mine)
      }),
    take: (reply: OrderReply): void => {
      const order = waiting.get((reply.status === 'success' ? reply.data : reply).clientOrderId ?? '')
      if (order === undefined) return
      if (reply.status === 'success')
        end(order, () => order.resolve(toPlaced({ ...reply.data, price_was: reply.trade_price })))
      else refused(order, new FairwickError(reply.code, reply.message))
    },
    /** An overdue reply may answer an earlier ping, so only the first ping without a reply is timed. */
    timePing: (): void => {
      pingedAt ??= Date.now()
    },
    takeTime: (serverTime: number): void => {
      if (pingedAt !== null) offsetMs = serverTime - (pingedAt + Date.now()) / 2
      pingedAt = null
    },
    lost: (): void => {
      pingedAt = null
    },
    /** Sends every order without a reply again. */
    connected: (): void => {
      for (const order of waiting.values()) trySend(order)
    },
    open: (): void => void (closed = undefined),
    /** Rejects every order until `open`. */
    close: (error: unknown): void => {
      closed = { error }
      for (const order of waiting.values()) end(order, () => order.reject(error))
    },
  }
}

/** `crypto.randomUUID` is missing on pages without https. */
function newOrderId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toPlaced(order: Omit<Placed, 'price'> & Pick<OwnTrade, 'price_was'>): Placed {
  const { id, trx, clientOrderId, symbol, high_low, amount, profit_percentage, opened_at, expires_at, entry } = order
  return {
    id,
    trx,
    clientOrderId,
    symbol,
    high_low,
    amount,
    profit_percentage,
    opened_at,
    expires_at,
    entry,
    price: order.price_was,
  }
}
