import type { Bar } from '../../src/web/chart/bar.ts'

const STEP_MS = 60_000
/** The bars end with a Friday's trading, so that session breaks are among them. */
const END = Date.UTC(2026, 10, 20, 20, 59)

/** The same deterministic candles on both pages, so that only the charts differ. */
export function sampleBars(count: number): Bar[] {
  return Array.from({ length: count }, (_, index) => sampleBar(index - count + 1))
}

/**
 * Returns the bar at `index`: 0 is the newest bar of the sample, positive indexes are later bars. `turn` moves the
 * closing price, as an update of the open candle does.
 */
export function sampleBar(index: number, turn = 0): Bar {
  const level = (at: number) => 250 + 6 * Math.sin(at / 40) + 2 * Math.sin(at / 7)
  const [open, close] = [level(index - 1), level(index) + Math.sin(turn) / 4]
  return {
    time: END + index * STEP_MS,
    open,
    high: Math.max(open, close) + 0.3,
    low: Math.min(open, close) - 0.3,
    close,
    volume: 5_000 + 3_000 * Math.sin(index * 1.7),
  }
}
