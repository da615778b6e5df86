import { z } from 'zod'
import { optionalFilter } from '#contract/back-office/staff-call.ts'

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** From when to when: a day (UTC, the last one as a whole) or a moment. Either may be missing. */
export const PERIOD_FILTERS = { from: optionalFilter(Moment), to: optionalFilter(Moment) }
