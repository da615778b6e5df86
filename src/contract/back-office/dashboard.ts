import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'
import { TICK_REJECTION_REASONS } from '#core/markets/tick.ts'
import { UNUSED_TRADE_REASONS } from '#core/markets/sources/unused-trade.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'

const Count = z.number().int()
const MarketTypeOut = z.enum(MARKET_TYPES)

/** Deposits or withdrawals that wait for staff. `oldest_at`: since when the oldest one waits. */
const Queue = z.object({ waiting: Count, overdue: Count, amount: MoneyOut, oldest_at: IsoTime.nullable() })

/** Faults that stop a server from working: faults of the database, faults of the clock, and crashes. */
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
  'clock_off',
  'clock_deviates',
  'log_ahead',
  'register_behind',
  'books_differ',
  'connections_full',
  'crash',
  'stop',
  'down',
] as const

export const staffDashboardSummary = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/summary',
  may: 'dashboard.see',
  summary: 'The current state: users, open stakes, queues, the ledger and faults.',
  reply: z.object({
    /**
     * Whether all earlier days are counted. False while the first start still counts them, and then all-time figures
     * are too low.
     */
    is_complete: z.boolean(),
    users: z.object({
      total: Count,
      new_day: Count,
      new_week: Count,
      active_day: Count,
      bots: Count,
      bots_new_day: Count,
      bots_new_week: Count,
      bots_active_day: Count,
    }),
    open: z.object({ orders: Count, stakes: MoneyOut, bot_orders: Count, bot_stakes: MoneyOut }),
    house: z.object({ today: MoneyOut, total: MoneyOut, bots_today: MoneyOut, bots_total: MoneyOut }),
    deposits: Queue,
    withdrawals: Queue,
    ledger: z.object({ state: z.enum(['clean', 'broken', 'unchecked']), checked_at: IsoTime.nullable() }),
    takes_orders: z.boolean(),
    /** Faults of the servers, their database and their clocks in the last 24 hours. */
    faults: z.object({
      /** Orders that became void in the last 24 hours. Their stakes were returned. */
      voids: Count,
      /** Void orders by symbol, the largest stakes first. */
      void_symbols: z.array(z.object({ code: z.string(), orders: Count, stakes: MoneyOut })),
      /** Orders whose result came more than a minute after their expiry, and the longest such wait. */
      late_results: z.object({ orders: Count, longest_seconds: z.number() }),
      /** Withdrawals that staff have not decided in the promised time. */
      late_withdrawals: z.object({ count: Count, amount: MoneyOut }),
      crashes: Count,
      /** Seconds of the last 24 hours in which no server was running. */
      down_seconds: z.number(),
      /** Ongoing events first, then the latest first. Faults are those that this server saw since its start. */
      events: z.array(
        z.object({
          kind: z.enum(FAULT_EVENTS),
          at: IsoTime,
          /** Null while the event is ongoing, and for instantaneous events. */
          until: IsoTime.nullable(),
          lasts: z.boolean(),
          /** For a fault of a clock: the deviation of the clock. Null for all other events. */
          seconds: z.number().nullable(),
          /** The name of the server that stopped. Null for events without a server. */
          server: z.string().nullable(),
        }),
      ),
    }),
    /** Errors of the last 24 hours, without errors from before the server's start. The latest come first. */
    errors: z.array(z.object({ message: z.string(), count: Count, last_at: IsoTime })),
  }),
  refusals: [],
})
export type DashboardSummary = z.output<(typeof staffDashboardSummary)['reply']>

/** The groups of open orders by the time left until their expiry. */
export const EXPIRY_SPANS = ['minute', 'five_minutes', 'hour', 'day', 'later'] as const

/**
 * Totals of open orders. The last two are the house's result (negative: loss) if all buys, or all sells, of these
 * orders win.
 */
const Outcome = z.object({ orders: Count, stakes: MoneyOut, if_buys_win: MoneyOut, if_sells_win: MoneyOut })

export const staffDashboardExposure = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/exposure',
  may: 'dashboard.see',
  summary: 'The exposure of the house to open orders, by symbol and by time to expiry.',
  query: z.object({ whose: z.enum(['people', 'bots', 'all']).default('all') }),
  reply: z.object({
    symbols: z.array(
      Outcome.extend({
        code: z.string(),
        market_type: MarketTypeOut,
        /**
         * The house's worst possible result: the sum over all expiries of the lower of the two results, if buys win and
         * if sells win.
         */
        worst: MoneyOut,
        spans: z.array(z.object({ span: z.enum(EXPIRY_SPANS), orders: Count, stakes: MoneyOut, worst: MoneyOut })),
      }),
    ),
  }),
  refusals: [],
})
export type Exposure = z.output<(typeof staffDashboardExposure)['reply']>

export const staffDashboardDays = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/days',
  may: 'dashboard.see',
  summary: 'The last days: settled stakes and the result of the house by market, deposits, withdrawals, new accounts.',
  query: z.object({ days: z.coerce.number().int().min(7).max(90).default(30) }),
  reply: z.object({
    is_complete: z.boolean(),
    days: z.array(z.iso.date()),
    /** One row per day, kind and `is_bot`. A day on which nothing was counted has no row. */
    rows: z.array(
      z.object({
        day: z.iso.date(),
        kind: z.enum([...MARKET_TYPES, 'deposit', 'withdrawal', 'account']),
        is_bot: z.boolean(),
        count: Count,
        amount: MoneyOut,
        /** The house's result: lost stakes minus paid profits. */
        result: MoneyOut,
      }),
    ),
  }),
  refusals: [],
})
export type DashboardDays = z.output<(typeof staffDashboardDays)['reply']>

const SourceState = z.enum(['well', 'silent', 'late', 'refused'])

/** The kinds of incidents of one source, or between two sources. */
const INCIDENT_KINDS = ['switched', 'silent', 'late', 'refused', 'divergence', 'spike_dropped', 'lost', 'gap'] as const

/** Trades that a source reported and that made no price, by reason. Reasons without such a trade are left out. */
const Unused = z.array(z.object({ reason: z.enum(UNUSED_TRADE_REASONS), count: Count }))

export const staffDashboardFeeds = defineStaffCall({
  method: 'GET',
  path: '/admin/dashboard/feeds',
  may: 'dashboard.see',
  summary: 'The newest price of every symbol with its age and source, the state of its sources, and recent incidents.',
  reply: z.object({
    symbols: z.array(
      z.object({
        code: z.string(),
        market_type: MarketTypeOut,
        /** `closed`: the market is closed, so no price is expected. */
        state: z.enum(['fresh', 'stale', 'none', 'closed']),
        source: z.string().nullable(),
        tick_at: IsoTime.nullable(),
        age_ms: z.number().nullable(),
        max_age_ms: z.number(),
        /** Why the server accepts no orders of any user at the present price. Null when it accepts them. */
        doubt: z.enum(['divergence', 'spike', 'lost', 'pending']).nullable(),
        sources: z.array(
          z.object({
            provider: z.string(),
            symbol: z.string(),
            state: SourceState,
            /** Whether the symbol uses the prices of this source now. */
            is_used: z.boolean(),
            /** Age of the newest message by its source time, and its delay until we received it. */
            age_ms: z.number().nullable(),
            latency_ms: z.number().nullable(),
            /** Unused trades since the start of the server that receives this source. */
            unused: Unused,
            /**
             * The provider asked us to send no calls and open no connections until this time. Null without such a
             * request.
             */
            rests_until: IsoTime.nullable(),
          }),
        ),
      }),
    ),
    /** Trades that made no price and whose message named no symbol, by provider. */
    unplaced: z.array(z.object({ provider: z.string(), unused: Unused })),
    /** Prices that the tick log rejected, by reason. */
    kept_out: z.array(z.object({ reason: z.enum(TICK_REJECTION_REASONS), count: Count })),
    /** Newest first. */
    incidents: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(INCIDENT_KINDS),
        symbol: z.string().nullable(),
        source: z.string().nullable(),
        at: IsoTime,
        /** Whether the incident has a duration. Its end is missing while it is ongoing. */
        lasts: z.boolean(),
        ended_at: IsoTime.nullable(),
        detail: z.string(),
      }),
    ),
  }),
  refusals: [],
})
export type FeedHealth = z.output<(typeof staffDashboardFeeds)['reply']>
