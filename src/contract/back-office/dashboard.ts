import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { KEPT_OUT_REASONS } from '#core/markets/tick.ts'
import { UNUSED_TRADE_REASONS } from '#core/markets/sources/unused-trade.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'

const Count = z.number().int()
const MarketTypeOut = z.enum(MARKET_TYPES)

/** What waits for somebody of the staff. */
const Queue = z.object({ waiting: Count, overdue: Count, amount: MoneyOut, oldest_at: IsoTime.nullable() })

/** What keeps a server from its work: faults of the database and of the clock, and ends of servers. */
const FAULT_EVENTS = [
  'database_silent',
  'database_full',
  'database_read_only',
  'database_broken',
  'files_used_up',
  'database_refuses',
  'database_crowded',
  'clock_jumped',
  'clocks_apart',
  'clock_drifts',
  'log_ahead',
  'connections_full',
  'crash',
  'stop',
  'down',
] as const

export const adminDashboardSummary = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/summary',
  may: 'dashboard.see',
  summary: 'How things stand now: users, what is at stake, queues, the ledger, faults.',
  reply: z.object({
    /** False while a first start still counts the past: all-time figures are too low until then. */
    is_complete: z.boolean(),
    users: z.object({ total: Count, new_day: Count, new_week: Count, active_day: Count, bots: Count }),
    open: z.object({ orders: Count, stakes: MoneyOut, bot_orders: Count, bot_stakes: MoneyOut }),
    house: z.object({ today: MoneyOut, total: MoneyOut, bots_today: MoneyOut, bots_total: MoneyOut }),
    deposits: Queue,
    withdrawals: Queue,
    ledger: z.object({ state: z.enum(['clean', 'broken', 'unchecked']), checked_at: IsoTime.nullable() }),
    takes_orders: z.boolean(),
    /** What happened to the servers in the last 24 hours: by themselves, to their database and to their clocks. */
    faults: z.object({
      /** Orders that were void in that time: the stake went back. */
      voids: Count,
      crashes: Count,
      /** How long no server ran. */
      down_seconds: z.number(),
      /** Those that last first, then the latest first. Faults are those that this server has seen since its start. */
      events: z.array(
        z.object({
          kind: z.enum(FAULT_EVENTS),
          at: IsoTime,
          /** Null while it lasts, and of what happens at a moment. */
          until: IsoTime.nullable(),
          lasts: z.boolean(),
          /** By how much a clock was off. */
          seconds: z.number().nullable(),
          /** Which server has ended. */
          server: z.string().nullable(),
        }),
      ),
    }),
    /** What failed in the last 24 hours since the server started, the latest first. */
    errors: z.array(z.object({ message: z.string(), count: Count, last_at: IsoTime })),
  }),
  refusals: [],
})
export type DashboardSummary = z.output<(typeof adminDashboardSummary)['reply']>

/** How far away an expiry is. */
export const EXPIRY_SPANS = ['minute', 'five_minutes', 'hour', 'day', 'later'] as const

/** What the house has in the end (negative: pays) if every buy, or every sell, of these orders wins. */
const Outcome = z.object({ orders: Count, stakes: MoneyOut, if_buys_win: MoneyOut, if_sells_win: MoneyOut })

export const adminDashboardExposure = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/exposure',
  may: 'dashboard.see',
  summary: 'What the house would pay on open orders, by symbol and by how soon they end.',
  query: z.object({ whose: z.enum(['people', 'bots', 'all']).default('all') }),
  reply: z.object({
    symbols: z.array(
      Outcome.extend({
        code: z.string(),
        market_type: MarketTypeOut,
        /** The worst there can be, each expiry taken for itself. */
        worst: MoneyOut,
        spans: z.array(z.object({ span: z.enum(EXPIRY_SPANS), orders: Count, stakes: MoneyOut, worst: MoneyOut })),
      }),
    ),
  }),
  refusals: [],
})
export type Exposure = z.output<(typeof adminDashboardExposure)['reply']>

export const adminDashboardDays = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/days',
  may: 'dashboard.see',
  summary: 'The last days: settled stakes and the result of the house by market, deposits, withdrawals, new accounts.',
  query: z.object({ days: z.coerce.number().int().min(7).max(90).default(30) }),
  reply: z.object({
    is_complete: z.boolean(),
    days: z.array(z.iso.date()),
    /** Days on which nothing happened are left out. */
    rows: z.array(
      z.object({
        day: z.iso.date(),
        kind: z.enum([...MARKET_TYPES, 'deposit', 'withdrawal', 'account']),
        is_bot: z.boolean(),
        count: Count,
        amount: MoneyOut,
        /** What the house has of it: stakes lost less profits paid. */
        result: MoneyOut,
      }),
    ),
  }),
  refusals: [],
})
export type DashboardDays = z.output<(typeof adminDashboardDays)['reply']>

const SourceState = z.enum(['well', 'silent', 'late', 'refused'])

/** What can go wrong with a source, or between two of them. */
const INCIDENT_KINDS = ['switched', 'silent', 'late', 'refused', 'divergence', 'spike_dropped', 'lost', 'gap'] as const

/** Reported trades that made no price, by reason; reasons that did not occur are left out. */
const Unused = z.array(z.object({ reason: z.enum(UNUSED_TRADE_REASONS), count: Count }))

export const adminDashboardFeeds = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/feeds',
  may: 'dashboard.see',
  summary:
    'The newest price of every symbol: how old it is, who said it, how its sources do, and what went wrong of late.',
  reply: z.object({
    symbols: z.array(
      z.object({
        code: z.string(),
        market_type: MarketTypeOut,
        /** `closed`: the market rests, so silence is as it should be. */
        state: z.enum(['fresh', 'stale', 'none', 'closed']),
        source: z.string().nullable(),
        tick_at: IsoTime.nullable(),
        age_ms: z.number().nullable(),
        max_age_ms: z.number(),
        /** Why no orders are taken on this price just now, whoever asks. */
        doubt: z.enum(['divergence', 'spike', 'lost']).nullable(),
        sources: z.array(
          z.object({
            provider: z.string(),
            symbol: z.string(),
            state: SourceState,
            /** Its prices are the ones that count. */
            is_used: z.boolean(),
            /** How long ago the newest thing it spoke of was, and how long that took to reach us. */
            age_ms: z.number().nullable(),
            latency_ms: z.number().nullable(),
            /** Since the server that listens to it was started. */
            unused: Unused,
            /** The provider told us to make no calls or connections until then. */
            rests_until: IsoTime.nullable(),
          }),
        ),
      }),
    ),
    /** Of providers: trades that made no price and whose message did not show the symbol. */
    unplaced: z.array(z.object({ provider: z.string(), unused: Unused })),
    /** Prices of sources that the tick log kept out, by reason. */
    kept_out: z.array(z.object({ reason: z.enum(KEPT_OUT_REASONS), count: Count })),
    /** The newest first. */
    incidents: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(INCIDENT_KINDS),
        symbol: z.string().nullable(),
        source: z.string().nullable(),
        at: IsoTime,
        /** Some happen at a moment; others last, and have no end yet while they do. */
        lasts: z.boolean(),
        ended_at: IsoTime.nullable(),
        detail: z.string(),
      }),
    ),
  }),
  refusals: [],
})
export type FeedHealth = z.output<(typeof adminDashboardFeeds)['reply']>
