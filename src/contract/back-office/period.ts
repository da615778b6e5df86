import { z } from 'zod'
import { optionalFilter } from '#contract/back-office/staff-call.ts'

const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** A period whose ends are days (UTC, the last day included) or instants. Either end may be missing. */
export const PERIOD_FILTERS = { from: optionalFilter(Moment), to: optionalFilter(Moment) }
