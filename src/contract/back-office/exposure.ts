import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { CAP_SCOPES } from '#core/markets/terms/cap-subject.ts'

const Scope = z.enum(CAP_SCOPES)
const Sides = z.object({ buys: MoneyOut, sells: MoneyOut })

const ExposureRow = z.object({
  scope: Scope,
  /** The code of a symbol, a market, or `all`. */
  key: z.string(),
  /** The cap in force: the highest sum of profits of open orders on one side. Null without a cap. */
  most: MoneyOut.nullable(),
  since: IsoTime.nullable(),
  /** The announced change that is not in force yet. */
  coming: z.object({ most: MoneyOut.nullable(), applies_at: IsoTime }).nullable(),
  /**
   * The number of the newest entry of the trade terms about this cap. A request to change the cap sends the number
   * back. 0 when no entry is about this cap.
   */
  version: z.number().int(),
  /**
   * The sum of the profits of the open orders of each side. A cap per minute of expiry shows the minute with the
   * largest sum.
   */
  used: Sides,
  bots: Sides,
  minute: IsoTime.nullable(),
  /** The number of orders that a cap refused today. Null for a market and for `all`, which are not counted. */
  refused: z.object({ buys: z.number().int(), sells: z.number().int() }).nullable(),
})
export type ExposureRow = z.output<typeof ExposureRow>

export const staffExposure = defineStaffCall({
  method: 'GET',
  path: '/admin/exposure',
  may: 'exposure.see',
  summary: 'The profits of the open orders of each side, with their caps: of the site, of each market and each symbol.',
  reply: z.object({
    rows: z.array(ExposureRow),
    /** The profit of an order with the largest stake of each duration. */
    largest: z.array(z.object({ seconds: z.number().int(), profit: MoneyOut })),
  }),
  refusals: [],
})

export const staffSaveCap = defineStaffCall({
  method: 'POST',
  path: '/admin/exposure/caps/save',
  may: 'exposure.edit',
  summary: 'Sets or removes the cap of both sides for new orders of all users. In force once the register has it.',
  body: z.object({
    scope: Scope,
    key: z.string().regex(/^[A-Za-z0-9_]{1,12}$/),
    /** The new cap. Null removes the cap. */
    most: z.number().nullable(),
    version: z.number().int(),
    reason: z.string().trim().max(300),
    /** True: save the cap even if not one order with the largest stake fits under it. */
    confirmed: z.boolean().default(false),
  }),
  reply: z.object({ version: z.number().int(), applies_at: IsoTime }),
  refusals: [
    'cap_invalid',
    'cap_below_one_order',
    'caps_one_server',
    'changed_meanwhile',
    'reason_needed',
    'terms_not_logged',
  ],
})
