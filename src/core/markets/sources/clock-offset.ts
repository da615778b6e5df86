import type { Instant } from '#core/time/instant.ts'

const BUCKET_MS = 10_000
const BUCKETS = 6
const MAX_OFFSET_MS = 2_000

/**
 * Estimates how far a source's clock is behind ours, including the minimum network delay. The basis is the smallest
 * `receive time − source time` of six 10 s buckets. The second smallest of the six values is used, so that one wrong
 * time changes nothing.
 *
 * The offset is used only to detect that a source falls behind its own usual delay. A steady delay looks like a slow
 * clock, so the offset is limited to 2 s. The age of a price for an order is measured without it.
 */
export class ClockOffset {
  ms = 0
  readonly #smallest: { readonly bucket: number; ms: number }[] = []

  hears(time: Instant, now: Instant): void {
    const bucket = Math.floor(now / BUCKET_MS)
    const ms = now - time
    const current = this.#smallest.at(-1)
    if (current?.bucket === bucket) {
      if (ms >= current.ms) return
      current.ms = ms
    } else {
      this.#smallest.push({ bucket, ms })
      while ((this.#smallest[0]?.bucket ?? bucket) <= bucket - BUCKETS) this.#smallest.shift()
    }
    const ascending = this.#smallest.map((one) => one.ms).toSorted((one, two) => one - two)
    this.ms = Math.max(-MAX_OFFSET_MS, Math.min(MAX_OFFSET_MS, ascending[1] ?? ms))
  }
}
