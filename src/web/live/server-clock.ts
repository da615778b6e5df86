/** So many of the last measurements count; an odd number has a middle one. */
const KEPT = 5

export interface ServerClock {
  /** A question was asked at `sentAt` and answered at `receivedAt` (this device's clock); the server's said `serverTime`. */
  measure: (sample: { sentAt: number; receivedAt: number; serverTime: number }) => void
  /** Server clock minus this device's; null until measured. */
  offsetMs: () => number | null
}

/** Learns how far this device's clock is off. The median of several, so that one slow answer does not move it. */
export function createServerClock(): ServerClock {
  let samples: number[] = []
  return {
    measure: ({ sentAt, receivedAt, serverTime }) => {
      samples = [...samples, serverTime - (sentAt + receivedAt) / 2].slice(-KEPT)
    },
    offsetMs: () => {
      const sorted = samples.toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)] ?? null
    },
  }
}
