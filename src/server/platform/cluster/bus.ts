/** What servers tell each other about. */
export type Topic = 'news' | 'ticks'

/**
 * Tells other servers what has happened, at once and without a promise: a message may be lost. Whoever listens hears of
 * a gap and reads from the database what it may have missed.
 */
export interface Bus {
  publish(topic: Topic, body: unknown): void
  onMessage(topic: Topic, listener: (body: unknown) => void): () => void
  /** Messages of other servers were or may have been missed. */
  onGap(listener: () => void): () => void
  isConnected(): boolean
  /** Since the start. */
  counts(): BusCounts
  stop(): Promise<void>
}

export interface BusCounts {
  readonly sent: number
  readonly received: number
  /** Times that something was missed. */
  readonly gaps: number
  /** Not from one of our servers, or come twice. */
  readonly refused: number
}

/** Nobody else is there, or can be reached. */
export const NO_BUS: Bus = {
  publish: () => {},
  onMessage: () => () => {},
  onGap: () => () => {},
  isConnected: () => false,
  counts: () => ({ sent: 0, received: 0, gaps: 0, refused: 0 }),
  stop: () => Promise.resolve(),
}
