import { AppClient, type SocketMessage } from '#test/support/app-client.ts'

export interface SeenTick {
  readonly place: number
  readonly price: number
  readonly timeMs: number
}

/**
 * Receives every tick of a symbol independently of the page, like any other client. The witness determines an order's
 * exit price from these ticks alone.
 */
export class TickWitness {
  readonly #client: AppClient
  readonly #productId: string

  private constructor(client: AppClient, productId: string) {
    this.#client = client
    this.#productId = productId
  }

  static async open(address: string, token: string, code: string): Promise<TickWitness> {
    const client = await AppClient.open(address, token)
    client.say({ action: 'watch', symbols: [code], every: true })
    const witness = new TickWitness(client, `${code}USDT`)
    await client.hear((message) => witness.#isTick(message))
    return witness
  }

  /** Returns all ticks received so far, in the order of the tick log. */
  get ticks(): readonly SeenTick[] {
    return this.#client.messages
      .filter((message) => this.#isTick(message))
      .map((message) => ({ place: Number(message['q']), price: Number(message['c']), timeMs: Number(message['E']) }))
      .toSorted((a, b) => a.place - b.place)
  }

  at(place: number): SeenTick | undefined {
    return this.ticks.find((tick) => tick.place === place)
  }

  /** Returns the last tick whose time is not after the given time. */
  lastUntil(instantMs: number): SeenTick | undefined {
    return this.ticks.findLast(({ timeMs }) => timeMs <= instantMs)
  }

  close(): void {
    this.#client.close()
  }

  #isTick(message: SocketMessage): boolean {
    return message['s'] === this.#productId && typeof message['q'] === 'number'
  }
}
