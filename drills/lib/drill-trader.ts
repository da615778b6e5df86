import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** An order as its trader knows it. */
export interface DrillOrder {
  readonly clientOrderId: string
  readonly symbol: string
  readonly type: 'buy' | 'sell'
  readonly settingId: number
  /** What the server said when it took it; undefined until it did. */
  id?: string
}

interface Answer {
  readonly status: string
  readonly code: string
  readonly id: string | null
}

const SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'ADA', 'LTC', 'DOT']
/** Of every order, in whole units. */
export const DRILL_STAKE = 20
const ANSWER_WITHIN_MS = 3_000
/** It was not taken, or nobody knows, and asking again helps. */
const PASSING = new Set(['price_stale', 'too_many_open_orders', 'restarting', 'busy', 'trading_paused', 'server_error'])

/**
 * Trades like a program would: gives each order to one server and hears of results from another; when a server is gone
 * it comes back to any, and gives an order that was not answered again, under the same name, until it is.
 */
export class DrillTrader {
  readonly orders: DrillOrder[] = []
  /** Results as they were told, by the order; each may be told more than once. */
  readonly results = new Map<string, { readonly result: number; readonly amount: number }[]>()
  /** Results that came over a socket of a server that had not taken the order. */
  heardElsewhere = 0
  refused = 0
  readonly #name: string
  readonly #token: string
  readonly #addresses: () => readonly string[]
  readonly #sockets = new Map<string, WebSocket>()
  readonly #answers = new Map<string, Answer>()
  readonly #takenBy = new Map<string, string>()
  #isOver = false

  constructor(name: string, token: string, addresses: () => readonly string[]) {
    this.#name = name
    this.#token = token
    this.#addresses = addresses
  }

  /** Keeps a socket to every server and gives orders until it is told to stop. */
  async trade(everyMs: number): Promise<void> {
    const staying = this.#stayConnected()
    for (let nth = 0; !this.#isOver; nth += 1) {
      await this.#placeUntilAnswered(nth)
      await pause(everyMs)
    }
    await staying
  }

  /** Gives no more orders; what was asked for is asked for until it is answered. */
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
        this.#takenBy.set(answer.id, address)
        this.orders.push(order)
        return
      }
      // What was never answered may have been taken all the same: only an answer ends the asking.
      const isDone = answer !== null && !PASSING.has(answer.code)
      if (isDone) throw new Error(`an order was refused: ${answer.code}`)
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
      const told = { result: Number(data['result']), amount: Number(data['result_amount']) }
      const before = this.results.get(id)
      if (before === undefined) this.results.set(id, [told])
      else before.push(told)
      const takenBy = this.#takenBy.get(id)
      // Only of an order that is known as one's own: whoever shares the account has yet to hear of theirs.
      const socket = this.#sockets.get(address)
      if (takenBy !== undefined && socket?.readyState === WebSocket.OPEN)
        socket.send(JSON.stringify({ action: 'seen', ids: [id] }))
      if (takenBy !== undefined && takenBy !== address) this.heardElsewhere += 1
    }
  }
}
