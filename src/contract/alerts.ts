import { z } from 'zod'
import { ALERT_COOL_MINUTES, ALERT_KINDS, ALERT_MOVE, MAX_ALERT_NOTE } from '#core/markets/price-alerts/price-alert.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime, PriceOut, Text } from '#contract/wire.ts'

/** The size of a price move in percent, with at most two decimals. */
const Percent = z
  .number()
  .min(ALERT_MOVE.min / 100)
  .max(ALERT_MOVE.max / 100)

export const AlertOut = z.object({
  id: z.string(),
  symbol: z.string(),
  decimals: z.number().int().meta({ description: 'Of the prices of the symbol.' }),
  kind: z.enum(ALERT_KINDS),
  level: PriceOut.nullable().meta({ description: 'Null for a move.' }),
  percent: z.number().nullable().meta({ description: 'Only for a move.' }),
  basis: z
    .object({ price: PriceOut, q: z.number().int() })
    .meta({ description: 'The newest tick when the alert was set. A move is measured from it.' }),
  repeats: z.boolean(),
  cool_minutes: z.number().int(),
  expires_at: IsoTime,
  note: z.string(),
  state: z
    .enum(['running', 'cooling', 'fired', 'expired', 'ended'])
    .meta({ description: '`cooling`: it repeats, and rests after it fired.' }),
  fired: z
    .object({ q: z.number().int(), price: PriceOut, time_ms: z.number().int(), previous_q: z.number().int() })
    .nullable()
    .meta({ description: 'The tick that it fired at last, and the tick of the symbol before.' }),
  created_at: IsoTime,
  version: z.number().int(),
})
export type AlertOut = z.output<typeof AlertOut>

const Settings = z.object({
  kind: z.enum(ALERT_KINDS),
  level: z
    .union([z.number(), z.string().max(24)])
    .nullish()
    .meta({ description: 'A price that the tick log can have. For `above` and `below`.' }),
  percent: Percent.nullish().meta({ description: 'At most two decimals. For `move`.' }),
  repeats: z.boolean().default(false),
  cool_minutes: z
    .number()
    .int()
    .min(ALERT_COOL_MINUTES.min)
    .max(ALERT_COOL_MINUTES.max)
    .default(ALERT_COOL_MINUTES.usual),
  expires_at: z.iso.datetime().nullish().meta({ description: '1 hour to 90 days from now; 30 days unless given.' }),
  note: z.string().max(MAX_ALERT_NOTE).default(''),
})
export type AlertSettings = z.output<typeof Settings>

const AlertId = z.object({ id: z.uuid() })
const Version = z.number().int().min(1).max(2_147_483_647)
const Alert = z.object({ alert: AlertOut })

export const alerts = defineCall({
  method: 'GET',
  path: '/user/alerts',
  who: 'verified',
  key: 'read',
  summary:
    'The price alerts of the user: all that run, and the newest others. An alert only tells; it places no order.',
  reply: z.object({
    alerts: z.array(AlertOut),
    left: z.number().int().meta({ description: 'How many more can run.' }),
  }),
  refusals: [],
})

export const setAlert = defineCall({
  method: 'POST',
  path: '/user/alerts',
  who: 'verified',
  key: 'never',
  summary: 'Sets a price alert. Ticks of the log after this moment can fire it.',
  body: Settings.extend({ symbol: Text(20) }),
  reply: Alert,
  refusals: [
    'symbol_unknown',
    'price_stale',
    'alert_level',
    'alert_at_price',
    'alert_wrong_side',
    'alert_expiry',
    'too_many_alerts',
    'excluded',
  ],
})

export const changeAlert = defineCall({
  method: 'POST',
  path: '/user/alerts/:id',
  who: 'verified',
  key: 'never',
  summary: 'Changes a running alert. It restarts from the newest price.',
  params: AlertId,
  body: Settings.extend({ version: Version }),
  reply: Alert,
  refusals: [
    'not_found',
    'alert_changed',
    'price_stale',
    'alert_level',
    'alert_at_price',
    'alert_wrong_side',
    'alert_expiry',
  ],
})

export const endAlert = defineCall({
  method: 'POST',
  path: '/user/alerts/:id/end',
  who: 'verified',
  key: 'never',
  summary: 'Ends a running alert.',
  params: AlertId,
  body: z.object({ version: Version }),
  reply: Alert,
  refusals: ['not_found', 'alert_changed'],
})

export const repeatAlert = defineCall({
  method: 'POST',
  path: '/user/alerts/:id/again',
  who: 'verified',
  key: 'never',
  summary: 'Sets an alert that no longer runs once more, from the newest price and for 30 days.',
  params: AlertId,
  body: z.object({ version: Version }),
  reply: Alert,
  refusals: [
    'not_found',
    'alert_changed',
    'price_stale',
    'alert_at_price',
    'alert_wrong_side',
    'too_many_alerts',
    'excluded',
  ],
})
