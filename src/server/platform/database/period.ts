import { DAY_MS } from '#core/time/instant.ts'

export interface Period {
  /** The first millisecond of it, and the first after it; null: open. */
  readonly from: number | null
  readonly until: number | null
}

const DAY_ONLY = /^\d{4}-\d\d-\d\d$/

/** Reads the two filters of a period: days count as a whole, in UTC. */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  return {
    from: from === undefined ? null : Date.parse(from),
    until: to === undefined ? null : Date.parse(to) + (DAY_ONLY.test(to) ? DAY_MS : 1),
  }
}
