import { DAY_MS } from '#core/time/instant.ts'

export interface Period {
  /** `from` is the first millisecond of the period, `until` the first millisecond after it. Null: no limit. */
  readonly from: number | null
  readonly until: number | null
}

const DAY_ONLY = /^\d{4}-\d\d-\d\d$/

/** Parses the begin and the end of a period. An end without a time includes its whole day (UTC). */
export function readPeriod({ from, to }: { from?: string | undefined; to?: string | undefined }): Period {
  return {
    from: from === undefined ? null : Date.parse(from),
    until: to === undefined ? null : Date.parse(to) + (DAY_ONLY.test(to) ? DAY_MS : 1),
  }
}
