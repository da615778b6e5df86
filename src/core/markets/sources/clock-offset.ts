import type { Instant } from '#core/time/instant.ts'

const BUCKET_MS = 10_000
const BUCKETS = 6
const MOST_MS = 2_000

/**
 * How far a source's clock, together with the shortest way to us, is behind ours: the smallest `heard at − its time` of
 * the last minute. One wrong stamp changes nothing, since it is the second smallest of six stretches of that minute.
 *
 * It is used only to see whether a source has fallen behind itself. A steady delay looks just like a slow clock, so at
 * most two seconds are put down to the clock, and how old a price may be for an order is measured without it.
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
    this.ms = Math.max(-MOST_MS, Math.min(MOST_MS, ascending[1] ?? ms))
  }
}
