/** Commands from the parent to the order driver, one at a time. */
export type ToDriver = { readonly open: Opening } | { readonly run: Run } | { readonly save: { readonly file: string } }

export interface Opening {
  readonly port: number
  readonly sockets: number
  readonly tokens: readonly string[]
  /** If true, each socket has only one account, receives the results of its orders and confirms them. */
  readonly hearsResults: boolean
}

/** How to place orders. */
export interface Run {
  /** Number of clients. Each places its next order after the reply to its previous order. */
  readonly clients: number
  /** Alternatively: orders per second over these sockets, independent of replies. */
  readonly perSecond?: number
  /**
   * With `perSecond`: the driver places due orders and reads replies, then sleeps this long. Waking for each message
   * would cause context switches on this machine. Clients on other machines would not burden a server with them.
   */
  readonly restMs?: number
  /** Number of sockets used in turn, as a socket may send at most 100 messages per second. Default: `clients`. */
  readonly sockets?: number
  /** Warm-up time before counting. */
  readonly warmMs: number
  readonly ms: number
  /** The run ends early after this many orders in total. */
  readonly maxOrders?: number
  /** If true, the run continues until the last result was received. */
  readonly untilResults?: boolean
}

/** Times in milliseconds. */
export interface Times {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface RunFigures extends Times {
  // `p50`, `p99`, `max`: from placing an order, or from when it was due, to the reply.
  /** Orders acknowledged while counting, and in total. */
  readonly counted: number
  readonly perSecond: number
  readonly acknowledged: number
  readonly refused: Readonly<Record<string, number>>
  /** Received results: their number, and their delay after expiry. */
  readonly results: Times & { readonly count: number }
  /** Time from the first expiry to the last expiry, and from the last expiry to the last result. */
  readonly expirySpan: number
  readonly lastResult: number
  /** Due orders that were not placed because all accounts had reached their limit. */
  readonly held: number
  /** Processor time of the driver per elapsed time while counting. 1: one core was fully busy. */
  readonly processor: number
}

export type FromDriver =
  | { readonly done: 'open' | 'save' }
  | { readonly figures: RunFigures }
  | { readonly failed: string }

/** The symbols on which the driver places its orders, in turn. */
export const ORDERED_SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'ADA', 'LTC', 'DOT'] as const

/** Length of an order id as text. */
export const ID_BYTES = 36
