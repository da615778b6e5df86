import { DAY_MS } from '#core/time/instant.ts'

export interface Period {
  /** The first millisecond of the period, and the first after it. Null: unbounded. */
  readonly from: number | null
  readonly until: number | null
}

const DAY_ONLY = /^\d{4}-\d\d-\d\d$/

/** Parses the two filters of a period. Days count as a whole, in UTC. */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  return {
    from: from === undefined ? null : Date.parse(from),
    until: to === undefined ? null : Date.parse(to) + (DAY_ONLY.test(to) ? DAY_MS : 1),
  }
}
