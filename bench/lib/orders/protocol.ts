/** What the driver of orders is told by its parent: one thing at a time. */
export type ToDriver = { readonly open: Opening } | { readonly run: Run } | { readonly save: { readonly file: string } }

export interface Opening {
  readonly port: number
  readonly sockets: number
  readonly tokens: readonly string[]
  /** Each socket hears of the results of its one account, and says that it has seen them. */
  readonly hearsResults: boolean
}

/** How orders are given. */
export interface Run {
  /** So many orders are under way at once: the next one is given when one is answered. */
  readonly clients: number
  /** Instead: so many a second, over these sockets, whether the last ones are answered or not. */
  readonly perSecond?: number
  /**
   * With `perSecond`: it gives what is due and reads what was sent, then sleeps so long. Whoever wakes for each message has the machine
   * change from one process to the other and back each time, which clients on machines of their own do not cost a server.
   */
  readonly restMs?: number
  /** Over so many sockets in turn: a single one may give a hundred messages a second. As many as clients unless told. */
  readonly sockets?: number
  /** Not counted. */
  readonly warmMs: number
  readonly ms: number
  /** Ends after so many orders of all, if that comes first. */
  readonly most?: number
  /** Ends when the last result was heard of. */
  readonly untilResults?: boolean
}

/** Milliseconds. */
export interface Times {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

export interface RunFigures extends Times {
  // `p50`, `p99`, `max`: from giving an order, or from when it was due, to its answer.
  /** Orders that were acknowledged while it counted, and in all. */
  readonly counted: number
  readonly perSecond: number
  readonly acknowledged: number
  readonly refused: Readonly<Record<string, number>>
  /** Of the results that were heard: how many, and how long after their expiries. */
  readonly results: Times & { readonly heard: number }
  /** From the first expiry to the last, and from that to the last result. */
  readonly expirySpan: number
  readonly lastResult: number
  /** Due, and not given because all accounts had as many open orders as they may. */
  readonly held: number
  /** Of one core, while it counted. */
  readonly processor: number
}

export type FromDriver =
  | { readonly done: 'open' | 'save' }
  | { readonly figures: RunFigures }
  | { readonly failed: string }

/** What orders are on, in turn. */
export const ORDERED_SYMBOLS = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'ADA', 'LTC', 'DOT'] as const

/** Of an order, as text. */
export const ID_BYTES = 36
