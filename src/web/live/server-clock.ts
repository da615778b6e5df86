/** The number of measurements kept: odd, so that one of them is the median. */
const MAX_SAMPLES = 5

export interface ServerClock {
  /**
   * Records a ping sent at `sentAt` and answered at `receivedAt` by this device's clock. The reply contained
   * `serverTime`.
   */
  measure: (sample: { sentAt: number; receivedAt: number; serverTime: number }) => void
  /** Server clock minus this device's clock; null before the first measurement. */
  offsetMs: () => number | null
}

/** Measures the offset of this device's clock. It uses the median, so that one slow reply does not change it. */
export function createServerClock(): ServerClock {
  let samples: number[] = []
  return {
    measure: ({ sentAt, receivedAt, serverTime }) => {
      samples = [...samples, serverTime - (sentAt + receivedAt) / 2].slice(-MAX_SAMPLES)
    },
    offsetMs: () => {
      const sorted = samples.toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)] ?? null
    },
  }
}
