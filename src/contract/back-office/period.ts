import { z } from 'zod'
import { optionalFilter } from '#contract/back-office/staff-call.ts'

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** A period. `from` and `to` are days (UTC, `to` included) or instants. Each of them may be missing. */
export const PERIOD_FILTERS = { from: optionalFilter(Moment), to: optionalFilter(Moment) }
