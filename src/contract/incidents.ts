import { z } from 'zod'
import { defineCall } from '#contract/call.ts'

const Ms = z.number().int().nonnegative()

/** Kinds of incidents: an expiry without a price, missed prices, or an unusable source. */
export const INCIDENT_KINDS = ['void', 'gap', 'feed'] as const
/** Causes of incidents. docs/reference/tick-log.md explains each one. */
export const INCIDENT_CAUSES = [
  'no_tick_before_expiry',
  'no_price_after_expiry',
  'no_trade_before_expiry',
  'history_unavailable',
  'history_contradicts',
  'prices_missed',
  'outage',
  'silent',
  'late',
  'refused',
  'divergence',
  'spike',
  'switched',
  'lost',
] as const

const IncidentOut = z.object({
  id: z.string(),
  kind: z.enum(INCIDENT_KINDS),
  cause: z.enum(INCIDENT_CAUSES),
  symbol: z.string().nullable().meta({ description: 'Null when it was about a source as a whole.' }),
  source: z.string().nullable(),
  from_ms: Ms,
  to_ms: Ms.nullable().meta({ description: 'Null while it lasts; the same as the beginning for what has no length.' }),
  orders_refunded: Ms.nullable().meta({
    description: 'Orders of the symbol that expired in that time and got their stake back. Null without a symbol.',
  }),
})
export type IncidentOut = z.output<typeof IncidentOut>

export const proofIncidents = defineCall({
  method: 'GET',
  path: '/proof/incidents',
  who: 'anyone',
  key: 'read',
  summary: 'Times with missing or suspect prices, and the number of orders refunded because of them, newest first.',
  query: z.object({
    before: z
      .string()
      .regex(/^\d{1,15}:(?:void|gap|feed):[0-9a-f:-]{1,40}$/)
      .optional()
      .meta({ description: 'The `next` of an answer: those that come after its own.' }),
    symbol: z.string().max(20).optional().meta({ description: 'Only those of this symbol.' }),
  }),
  reply: z.object({
    incidents: z.array(IncidentOut),
    next: z.string().nullable().meta({ description: 'Null when there are no older ones.' }),
  }),
  refusals: ['symbol_unknown', 'rate_limited'],
})
