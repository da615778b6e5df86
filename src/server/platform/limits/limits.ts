/** How many calls a server accepts, counted in its memory before anything is hashed, sent or stored. */
export interface CallLimit {
  readonly what: string
  /**
   * The limit for one network (see `subnetOf`). When a limit is used up, each known device of the account still has
   * this limit for itself.
   */
  readonly network: Rate
  /** The limit for one IPv6 /48. */
  readonly site: Rate
  /** The limit for all callers together. */
  readonly total: Rate
}

/** A token bucket: calls per second in the long run, and calls at once after a pause. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** The limits of calls that need no log-in but hash a secret, send a message or store a row. */
export const STRANGER_LIMITS = {
  log_in: callLimit('log in, second step and passkey', { perSecond: 2, burst: 120 }, { perSecond: 60, burst: 1_200 }),
  sign_up: callLimit('sign up', { perSecond: 1, burst: 200 }, { perSecond: 30, burst: 1_200 }),
  reset: callLimit(
    'new password: ask for a code, check it, use it',
    { perSecond: 0.2, burst: 60 },
    { perSecond: 20, burst: 600 },
  ),
  staff: callLimit(
    'back office: log in, code, invitation',
    { perSecond: 1, burst: 120 },
    { perSecond: 10, burst: 600 },
  ),
} as const satisfies Record<string, CallLimit>

export type StrangerLimitName = keyof typeof STRANGER_LIMITS

function callLimit(what: string, network: Rate, total: Rate): CallLimit {
  return { what, network, site: { perSecond: network.perSecond * 4, burst: network.burst * 4 }, total }
}

/** How many calls of a kind a server accepts, counted in its memory, per caller. */
export interface ReadLimit extends Rate {
  readonly what: string
  readonly by: string
}

/** The limits of calls that store nothing but read or send much. */
export const READ_LIMITS = {
  // The tick log of a day has tens of megabytes.
  tick_files: { what: 'days of the price log', by: 'network', perSecond: 1 / 120, burst: 10 },
  // A check of a receipt takes two of these calls.
  receipts: { what: 'receipts and their evidence', by: 'network', perSecond: 4, burst: 60 },
  register: { what: 'states, tiles and proofs of the register', by: 'network', perSecond: 20, burst: 200 },
  cosignatures: { what: 'cosignatures of the register', by: 'network', perSecond: 1 / 6, burst: 10 },
  terms: { what: 'announced trade terms', by: 'network', perSecond: 4, burst: 60 },
  people: { what: 'who decides, and what they changed', by: 'network', perSecond: 4, burst: 60 },
  texts: { what: 'changed texts', by: 'network', perSecond: 4, burst: 60 },
  incidents: { what: 'lists of incidents', by: 'network', perSecond: 4, burst: 60 },
  // The chart of an order of one hour requests seven pieces of ten minutes. Ten minutes of a busy tick log are some
  // megabytes to read.
  order_ticks: { what: 'prices of own orders', by: 'user or API key', perSecond: 1, burst: 20 },
  // A reply reads up to 15 minutes of the tick log.
  recent_ticks: { what: 'newest ticks of a symbol', by: 'network', perSecond: 2, burst: 10 },
  // A quote reads the prices of 20 minutes.
  sale_quotes: { what: 'what selling an order would bring', by: 'user or API key', perSecond: 1, burst: 10 },
  // A page of a statement counts all transfers of a user.
  statements: { what: 'pages of own statements', by: 'user or API key', perSecond: 1, burst: 20 },
  figures: { what: 'figures of own orders', by: 'user or API key', perSecond: 1, burst: 20 },
} as const satisfies Record<string, ReadLimit>

/**
 * The maximum number of things of one kind that exist at the same time, e.g. open sockets. Counted in the memory of a
 * server.
 */
export interface AtOnceLimit {
  readonly what: string
  readonly by: string
  readonly max: number
}

/** Every limit on things that exist at the same time. */
export const AT_ONCE_LIMITS = {
  connections_network: { what: 'connections', by: 'network that is no trusted proxy', max: 2_500 },
  connections_total: { what: 'connections', by: 'server', max: 25_000 },
  sockets_network: { what: 'sockets', by: 'network', max: 2_000 },
  sockets_total: { what: 'sockets', by: 'server', max: 20_000 },
  // Clients with a session never need more than 50 look-ups at once.
  socket_look_ups: { what: 'sockets of the back office being opened', by: 'server', max: 50 },
  hashes_asker: { what: 'slow hashes that wait', by: 'user, or network of strangers', max: 50 },
  hashes_kind: { what: 'slow hashes that wait', by: 'all users, or all strangers', max: 200 },
  // A file uses part of a core while it is sent.
  tick_files: { what: 'days of the price log being sent', by: 'server', max: 2 },
  statement_files: { what: 'own statements being sent, one per user', by: 'server', max: 2 },
} as const satisfies Record<string, AtOnceLimit>

/**
 * The message limit of one socket. A socket that sends more is closed. A client that places an order whenever the last
 * one was accepted sends about 120 messages a second.
 */
export const SOCKET_MESSAGES = { perSecond: 200, burst: 400 } as const satisfies Rate
