import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { readCivilDay } from '#core/markets/calendar/civil-day.ts'
import { REPORT_ACCOUNTS, REPORT_LINES } from '#core/reports/report-lines.ts'
import { isZone } from '#core/time/zone.ts'

const DayIn = z
  .string()
  .max(10)
  .transform((text, ctx): number => {
    const day = readCivilDay(text)
    if (day !== null && day >= 0) return day
    ctx.addIssue({ code: 'custom', params: { refusal: 'period_invalid' } })
    return z.NEVER
  })

const PERIOD = {
  from: DayIn.meta({ description: 'The first day, such as `2026-11-01`.' }),
  to: DayIn.meta({ description: 'The last day.' }),
  zone: z
    .string()
    .max(64)
    .refine(isZone)
    .default('UTC')
    .meta({ description: 'A time zone of the IANA database, or `UTC`.' }),
}

const Count = z.number().int()
const Lines = z.object(
  Object.fromEntries(REPORT_LINES.map((line) => [line, MoneyOut])) as Record<
    (typeof REPORT_LINES)[number],
    typeof MoneyOut
  >,
)
/** The same figures twice: once for people, once for bots. No figure mixes both. */
const Split = <Figure extends z.ZodType>(figure: Figure) => z.object({ people: figure, bots: figure })
const Users = z.object({ new: Count, active: Count, depositing: Count, first_deposits: Count })

const Head = {
  from: z.string(),
  to: z.string(),
  zone: z.string(),
  /** The period begins at `starts_at` and ends just before `ends_at`. */
  starts_at: IsoTime,
  ends_at: IsoTime,
  /** Older transfers are still being counted until this time. Null when the figures are complete. */
  counted_until: IsoTime.nullable(),
  /** When and by whom the period was closed, and the hash of the closed report. Null while the period is open. */
  closed: z.object({ at: IsoTime, by: z.string(), sha256: z.string() }).nullable(),
}

export const staffReportSummary = defineStaffCall({
  method: 'GET',
  path: '/admin/reports/summary',
  may: 'reports.see',
  summary: 'The figures of a period from the ledger, and the positions of all accounts at its beginning and end.',
  query: z.object(PERIOD),
  hasCsv: true,
  reply: z.object({
    ...Head,
    lines: Split(Lines),
    positions: z.array(z.object({ account: z.enum(REPORT_ACCOUNTS), begin: Split(MoneyOut), end: Split(MoneyOut) })),
    users: Split(Users),
    /** The sum of the absolute differences between totals and balances. Null while transfers are being counted. */
    difference: MoneyOut.nullable(),
    closable_at: IsoTime,
  }),
  refusals: ['period_invalid', 'period_too_long'],
})
export type ReportSummary = z.output<(typeof staffReportSummary)['reply']>

export const REPORT_DIMENSIONS = ['day', 'symbol', 'market', 'length', 'gateway', 'country'] as const
export type ReportDimension = (typeof REPORT_DIMENSIONS)[number]

export const staffReportBy = defineStaffCall({
  method: 'GET',
  path: '/admin/reports/by/:dimension',
  may: 'reports.see',
  summary:
    'The figures of a period by day, symbol, market, length of the order, gateway or country. They add up to the summary.',
  params: z.object({ dimension: z.enum(REPORT_DIMENSIONS) }),
  query: z.object(PERIOD),
  hasCsv: true,
  reply: z.object({
    ...Head,
    rows: z.array(
      z.object({
        /**
         * The value of the dimension: a day, id, market, number of seconds or country code. Empty for transfers without
         * one.
         */
        value: z.string(),
        name: z.string(),
        lines: Split(Lines),
      }),
    ),
  }),
  refusals: ['period_invalid', 'period_too_long', 'not_found'],
})
export type ReportBreakdown = z.output<(typeof staffReportBy)['reply']>

export const staffCloseReport = defineStaffCall({
  method: 'POST',
  path: '/admin/reports/close',
  may: 'reports.see',
  summary: 'Closes a period one hour after its end. Its figures are kept with their hash and no longer change.',
  body: z.object(PERIOD),
  reply: z.object({ at: IsoTime, by: z.string(), sha256: z.string() }),
  refusals: ['period_invalid', 'period_too_long', 'period_open', 'period_closed', 'report_differs'],
})
