/** What the driver of orders is told by its parent: one thing at a time. */
export type ToDriver =
  | { readonly open: { readonly port: number; readonly sockets: number; readonly tokens: readonly string[] } }
  | { readonly run: Run }
  | { readonly save: { readonly file: string } }

/** How orders are given. */
export interface Run {
  /** Each of so many sockets gives its next order when the last one is answered. */
  readonly clients: number
  /** Instead: so many a second, over these sockets, whether the last ones are answered or not. */
  readonly perSecond?: number
  /** Not counted. */
  readonly warmMs: number
  readonly ms: number
  /** Ends after so many orders of all, if that comes first. */
  readonly most?: number
}

export interface RunFigures {
  /** Orders that were acknowledged while it counted, and in all. */
  readonly counted: number
  readonly perSecond: number
  readonly acknowledged: number
  readonly refused: Readonly<Record<string, number>>
  /** Milliseconds from giving an order, or from when it was due, to its answer. */
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** Of one core, while it counted. */
  readonly processor: number
}

export type FromDriver =
  | { readonly done: 'open' | 'save' }
  | { readonly figures: RunFigures }
  | { readonly failed: string }
