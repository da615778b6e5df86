import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { DirectionOut, IsoTime, MoneyOut, PageQuery } from '#contract/wire.ts'
import { readCivilDay } from '#core/markets/calendar/civil-day.ts'
import { STATEMENT_KINDS } from '#core/statement/statement-row.ts'
import { isZone } from '#core/time/zone.ts'

/**
 * The first day of the year 2100, in days since 1970-01-01. The days of statements and figures must be from 1970 to
 * 2099.
 */
const DAYS_UNTIL_2100 = 47_482

const DayIn = z
  .string()
  .max(10)
  .transform((text, ctx): number => {
    const day = readCivilDay(text)
    if (day !== null && day >= 0 && day < DAYS_UNTIL_2100) return day
    ctx.addIssue({ code: 'custom', message: 'not a day' })
    return z.NEVER
  })

/** A period of days in a time zone. */
export const PeriodQuery = z.object({
  from: DayIn.meta({ description: 'The first day, such as `2026-11-01`.' }),
  to: DayIn.optional().meta({ description: 'The day after the last one. Without it, the period reaches to now.' }),
  zone: z.string().max(64).refine(isZone).meta({ description: 'A time zone of the IANA database, or `UTC`.' }),
})

const Ms = z.number().int()
const ResultNumber = z.number().int().nullable()

const StatementOut = z.object({
  from_ms: Ms,
  to_ms: Ms.meta({ description: 'The first moment after the period.' }),
  zone: z.string(),
  currency: z.string(),
  opening: MoneyOut.meta({
    description:
      'The account total before the period: available, stakes of open orders, and held for withdrawals. `opening + deposits - withdrawals - charges + won - lost + corrections = closing`.',
  }),
  deposits: MoneyOut,
  withdrawals: MoneyOut,
  charges: MoneyOut,
  won: MoneyOut,
  lost: MoneyOut,
  corrections: MoneyOut.meta({ description: 'Adjustments. Negative when more was taken than added.' }),
  closing: MoneyOut,
  rows: z.number().int(),
  first_result: ResultNumber,
  last_result: ResultNumber,
  made_at: IsoTime,
})
export type StatementOut = z.output<typeof StatementOut>

const StatementRowOut = z.object({
  n: z.number().int(),
  at: IsoTime,
  kind: z.enum(STATEMENT_KINDS),
  reference: z.string(),
  words: z.string().meta({ description: 'The message of the operator.' }),
  amount: MoneyOut,
  balance: MoneyOut.meta({ description: 'The account total after it.' }),
  order: z
    .object({
      result_number: ResultNumber,
      symbol: z.string(),
      high_low: DirectionOut,
      stake: MoneyOut,
      payout_percent: z.number(),
      entry: z.string(),
      exit: z.string().nullable(),
      void_reason: z.string().nullable(),
    })
    .optional(),
})
export type StatementRowOut = z.output<typeof StatementRowOut>

export const statement = defineCall({
  method: 'GET',
  path: '/user/statement',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary:
    "The caller's statement of a period of up to 366 days, in order of time. Its sums are compared with the ledger.",
  query: PeriodQuery.extend(PageQuery.shape),
  paged: true,
  reply: z.object({
    statement: StatementOut,
    credits: z.object({
      received: MoneyOut.meta({ description: 'Credits received in the period. They are no part of the total.' }),
      total: MoneyOut,
    }),
    rows: z.array(StatementRowOut),
  }),
  refusals: ['period_invalid', 'books_differ', 'rate_limited'],
})

export const statementCsv = defineCall({
  method: 'GET',
  path: '/user/statement.csv',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: 'The whole statement as CSV. The last line is `end` with the number of rows.',
  query: PeriodQuery,
  file: 'text/csv',
  reply: z.string(),
  refusals: ['period_invalid', 'books_differ', 'statement_busy'],
})

export const signedStatement = defineCall({
  method: 'GET',
  path: '/user/statement/signed',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: 'The statement as a signed file, which the check page and `npm run check:statement` check.',
  query: PeriodQuery,
  file: 'application/json',
  reply: z.string(),
  refusals: ['period_invalid', 'books_differ', 'statement_busy'],
})
