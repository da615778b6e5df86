import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** An order from its trader's point of view. */
export interface DrillOrder {
  readonly clientOrderId: string
  readonly symbol: string
  readonly type: 'buy' | 'sell'
  readonly settingId: number
  /** The id in the server's acknowledgement. Undefined before the acknowledgement. */
  id?: string
}

interface Answer {
  readonly status: string
  readonly code: string
  readonly id: string | null
}

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'ADA', 'LTC', 'DOT']
/** The stake of every order, in whole units. */
export const DRILL_STAKE = 20
const ANSWER_WITHIN_MS = 3_000
/**
 * After a refusal with one of these codes, the trader sends the order again. The server did not accept the order, or
 * does not tell whether it did.
 */
const PASSING = new Set(['price_stale', 'too_many_open_orders', 'restarting', 'busy', 'trading_paused', 'server_error'])

/**
 * Trades like a program: sends each order to one server and receives results from another. After an outage, the trader
 * reconnects to any server. It repeats an unanswered order under the same client id until a reply arrives.
 */
export class DrillTrader {
  readonly orders: DrillOrder[] = []
  /** Received results by order id. A result may arrive more than once. */
  readonly results = new Map<string, { readonly result: number; readonly amount: number }[]>()
  /** The number of results that came from another server than the one that accepted the order. */
  resultsElsewhere = 0
  refused = 0
  readonly #name: string
  readonly #token: string
  readonly #addresses: () => readonly string[]
  readonly #sockets = new Map<string, WebSocket>()
  readonly #answers = new Map<string, Answer>()
  readonly #acceptedBy = new Map<string, string>()
  #isOver = false

  constructor(name: string, token: string, addresses: () => readonly string[]) {
    this.#name = name
    this.#token = token
    this.#addresses = addresses
  }

  /** Connects to every server and places orders until `stop` is called. */
  async trade(everyMs: number): Promise<void> {
    const staying = this.#stayConnected()
    for (let nth = 0; !this.#isOver; nth += 1) {
      await this.#placeUntilAnswered(nth)
      await pause(everyMs)
    }
    await staying
  }

  /** Stops placing new orders. Pending ones are repeated until they are answered. */
  stop(): void {
    this.#isOver = true
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.terminate()
  }

  async #placeUntilAnswered(nth: number): Promise<void> {
    const order: DrillOrder = {
      clientOrderId: `${this.#name}-${nth}`,
      symbol: SYMBOLS[nth % SYMBOLS.length] ?? 'BTC',
      type: nth % 3 === 0 ? 'sell' : 'buy',
      settingId: 1 + (nth % 2),
    }
    for (let tries = 0; ; tries += 1) {
      const addresses = this.#addresses()
      const address = addresses[(nth + tries) % Math.max(1, addresses.length)] ?? ''
      const answer = await this.#ask(address, order)
      if (answer?.id) {
        order.id = answer.id
        this.#acceptedBy.set(answer.id, address)
        this.orders.push(order)
        return
      }
      // An unanswered order may have been accepted, so only a reply ends the retries.
      const isDone = answer !== null && !PASSING.has(answer.code)
      if (isDone) throw new Error(`the server refused an order: ${answer.code}`)
      if (answer !== null) this.refused += 1
      await pause(100)
    }
  }

  async #ask(address: string, { clientOrderId, symbol, type, settingId }: DrillOrder): Promise<Answer | null> {
    const socket = this.#sockets.get(address)
    if (socket?.readyState !== WebSocket.OPEN) return null
    this.#answers.delete(clientOrderId)
    const data = { clientOrderId, type, tradeSettingId: settingId, amount: DRILL_STAKE, symbol, marketType: 'crypto' }
    socket.send(JSON.stringify({ action: 'newTrade', token: this.#token, data }))
    const giveUpAt = Date.now() + ANSWER_WITHIN_MS
    while (Date.now() < giveUpAt && socket.readyState === WebSocket.OPEN) {
      const answer = this.#answers.get(clientOrderId)
      if (answer !== undefined) return answer
      await pause(5)
    }
    return this.#answers.get(clientOrderId) ?? null
  }

  async #stayConnected(): Promise<void> {
    while (!this.#isOver) {
      for (const address of this.#addresses()) {
        const state = this.#sockets.get(address)?.readyState
        if (state !== WebSocket.OPEN && state !== WebSocket.CONNECTING) this.#connect(address)
      }
      await pause(100)
    }
  }

  #connect(address: string): void {
    const socket = new WebSocket(`${address.replace('http', 'ws')}/ws/app`, { handshakeTimeout: 2_000 })
    this.#sockets.set(address, socket)
    socket.on('error', () => {})
    socket.on('open', () => {
      socket.send(JSON.stringify({ action: 'watch', symbols: [] }))
      socket.send(JSON.stringify({ action: 'subscribe', token: this.#token }))
    })
    socket.on('message', (bytes: Buffer) => this.#hear(address, JSON.parse(bytes.toString())))
  }

  #hear(address: string, message: Record<string, unknown>): void {
    const data = (message['data'] ?? {}) as Record<string, unknown>
    if (message['type'] === 'newTrade') {
      const clientOrderId = String(data['clientOrderId'] ?? message['clientOrderId'])
      const id = typeof data['id'] === 'string' ? data['id'] : null
      this.#answers.set(clientOrderId, { status: String(message['status']), code: String(message['code']), id })
    } else if (message['type'] === 'tradeResult') {
      const id = String(data['id'])
      const result = { result: Number(data['result']), amount: Number(data['result_amount']) }
      const before = this.results.get(id)
      if (before === undefined) this.results.set(id, [result])
      else before.push(result)
      const acceptedBy = this.#acceptedBy.get(id)
      // Confirms only the results of its own orders, because another trader of the account still needs the other
      // results.
      const socket = this.#sockets.get(address)
      if (acceptedBy !== undefined && socket?.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ action: 'seen', ids: [id] }))
      if (acceptedBy !== undefined && acceptedBy !== address) this.resultsElsewhere += 1
    }
  }
}
