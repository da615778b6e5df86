/** The number of measurements kept: odd, so that one of them is the median. */
const MAX_SAMPLES = 5
/** 50 ms: a device's clock drifts less than this between the oldest and the newest measurement. */
const DRIFT_MS = 50

export interface ServerClock {
  /**
   * Records a ping sent at `sentAt` and answered at `receivedAt` by this device's clock. The reply contained
   * `serverTime`.
   */
  measure: (sample: { sentAt: number; receivedAt: number; serverTime: number }) => void
  /** Server clock minus this device's clock; null before the first measurement. */
  offsetMs: () => number | null
}

interface Sample {
  readonly offset: number
  /** The largest possible error of the offset: half the round trip. */
  readonly error: number
}

/**
 * Measures the offset of this device's clock. It uses the median, so that one slow reply does not change it.
 * Measurements from before a step of the clock contradict the newest one, and are dropped.
 */
export function createServerClock(): ServerClock {
  let samples: Sample[] = []
  return {
    measure: ({ sentAt, receivedAt, serverTime }) => {
      const newest = { offset: serverTime - (sentAt + receivedAt) / 2, error: Math.abs(receivedAt - sentAt) / 2 }
      samples = [...samples.filter((one) => agree(one, newest)), newest].slice(-MAX_SAMPLES)
    },
    offsetMs: () => {
      const sorted = samples.map(({ offset }) => offset).toSorted((a, b) => a - b)
      return sorted[Math.floor(sorted.length / 2)] ?? null
    },
  }
}

function agree(one: Sample, other: Sample): boolean {
  return Math.abs(one.offset - other.offset) <= one.error + other.error + DRIFT_MS
}
