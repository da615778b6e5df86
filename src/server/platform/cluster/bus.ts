/** The topics of messages between servers. */
export type Topic = 'news' | 'ticks'

/**
 * Sends events to other servers at once, without a delivery guarantee: a message may be lost. When messages were
 * missed, the receivers are notified of the gap and read the missed data from the database.
 */
export interface Bus {
  publish(topic: Topic, body: unknown): void
  onMessage(topic: Topic, listener: (body: unknown) => void): () => void
  /** Calls the listener when messages of other servers were missed or may have been missed. */
  onGap(listener: () => void): () => void
  isConnected(): boolean
  /** Returns the message counts since the server started. */
  counts(): BusCounts
  stop(): Promise<void>
}

export interface BusCounts {
  readonly sent: number
  readonly received: number
  /** How often messages were missed. */
  readonly gaps: number
  /** Messages that are repeated, or that no server of this cluster sent. */
  readonly refused: number
}

/** The bus of a single server, without connection to others. */
export const NO_BUS: Bus = {
  publish: () => {},
  onMessage: () => () => {},
  onGap: () => () => {},
  isConnected: () => false,
  counts: () => ({ sent: 0, received: 0, gaps: 0, refused: 0 }),
  stop: () => Promise.resolve(),
}
