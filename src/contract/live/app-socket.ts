import { z } from 'zod'
import type { KeyScope } from '#core/accounts/api-keys.ts'
import { ACCOUNTS } from '#core/accounts/practice.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { MarketStatus } from '#contract/markets.ts'
import { AccountIn } from '#contract/practice.ts'
import { DirectionOut, IdIn, IsoTime, MoneyIn, MoneyOut, PriceOut, SettledResultOut } from '#contract/wire.ts'

/** 16 KiB: the largest message of a client. A larger message closes the socket with code 1009. */
export const MAX_MESSAGE_BYTES = 16_384

const Token = z.string().max(200).nullish()
/** Text that database queries use as a key. NUL is refused, because PostgreSQL cannot store it. */
const IdText = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((text) => !text.includes('\0'))
const PriceIn = z.union([z.number(), z.string().max(24)])

export const NewTradeData = z.object({
  type: z.enum(['buy', 'sell']),
  tradeSettingId: IdIn,
  amount: MoneyIn,
  symbol: z.string().min(1).max(20),
  marketType: z.string().max(20).nullish(),
  clientOrderId: IdText(64).min(1).nullish(),
  strikePrice: PriceIn.nullish().meta({
    description: 'The price that the client displayed. Used only with maxSlippage.',
  }),
  profitPercentage: z.number().positive().max(10_000).nullish().meta({
    description:
      'The payout that the client displayed. If another is in force, the order is refused with payout_changed.',
  }),
  time: z.number().int().positive().nullish().meta({
    description:
      'The duration that the client displayed, in seconds. If another is in force, the order is refused with setting_unknown.',
  }),
  validUntil: z.number().int().positive().max(8_640_000_000_000_000).nullish().meta({
    description:
      'Latest opening of the order, in milliseconds UTC by the server’s clock (see `serverTime` of a pong). After that it is refused with order_expired. Without it, the order may be opened at any time.',
  }),
  account: AccountIn,
  maxSlippage: PriceIn.nullish().meta({
    description: 'Maximum price difference. A larger one is refused with price_moved.',
  }),
})
export type NewTradeData = z.output<typeof NewTradeData>

/** Messages of clients on `/ws/app`. */
export const AppSocketIn = z.discriminatedUnion('action', [
  z.object({ action: z.literal('subscribe'), token: Token }),
  z.object({ action: z.literal('ping'), token: Token }),
  z.object({ action: z.literal('newTrade'), token: Token, data: NewTradeData }),
  z.object({
    action: z.literal('watch'),
    symbols: z.array(z.string().min(1).max(20)).max(500),
    every: z.boolean().optional().meta({ description: 'Every tick of up to five symbols, with its sequence number.' }),
  }),
  z.object({ action: z.literal('seen'), ids: z.array(IdText(60)).max(500) }),
])
export type AppSocketIn = z.input<typeof AppSocketIn>

/** The scope that an API key needs for each message. */
export const MESSAGE_KEYS = {
  subscribe: 'read',
  ping: 'read',
  watch: 'read',
  // `seen` needs `trade`, because a confirmed result is not sent again, not even to other pages of the same user.
  seen: 'trade',
  newTrade: 'trade',
} as const satisfies Record<AppSocketIn['action'], KeyScope>

export const Pong = z.object({
  type: z.literal('pong'),
  data: z.object({
    tradeStatus: z.union([z.literal(0), z.literal(1)]),
    tradeReason: z.string(),
    serverTime: z.number().meta({ description: 'Milliseconds UTC.' }),
  }),
  pingMarketStatus: MarketStatus,
})

export const NewTradeAccepted = z.object({
  type: z.literal('newTrade'),
  status: z.literal('success'),
  trade_price: PriceOut,
  data: z.object({
    id: z.string(),
    trx: z.string(),
    clientOrderId: z.string(),
    symbol: z.string(),
    high_low: DirectionOut,
    amount: MoneyOut,
    profit_percentage: z.number(),
    time: z.number().int(),
    opened_at: IsoTime,
    expires_at: IsoTime,
    entry: z.object({ q: z.number(), time_ms: z.number() }),
    user_balance: MoneyOut,
    account: z.enum(ACCOUNTS),
  }),
})

export const NewTradeRefused = z.object({
  type: z.literal('newTrade'),
  status: z.literal('error'),
  message: z.string(),
  code: z.string(),
  field: z.string().optional(),
  clientOrderId: z.string().nullable(),
})

export const TradeResultOut = z.object({
  type: z.literal('tradeResult'),
  status: z.literal('success'),
  data: z.object({
    id: z.string(),
    trx: z.string(),
    clientOrderId: z.string(),
    crypto: z.object({ name: z.string(), symbol: z.string(), market_type: z.enum(MARKET_TYPES) }),
    high_low: DirectionOut,
    price_was: PriceOut,
    post_trade_price: PriceOut.nullable(),
    amount: MoneyOut,
    result: SettledResultOut,
    result_amount: MoneyOut,
    user_balance: MoneyOut,
    void_reason: z.string().optional(),
    account: z.enum(ACCOUNTS),
  }),
})

/**
 * The user's balance changed by something other than an order: a deposit, a withdrawal or a bonus. The client requests
 * the new balance.
 */
export const BalanceChanged = z.object({ type: z.literal('balanceChanged') })

/** The user changed an own limit, or began or ended a break. The client requests the limits and the break again. */
export const LimitsChanged = z.object({ type: z.literal('limitsChanged') })

/**
 * The user has traded for the interval that the user chose. New orders wait until the user has seen this message. Until
 * then, the server sends the message again after each subscription.
 */
export const RealityCheckMessage = z.object({
  type: z.literal('realityCheck'),
  data: z.object({
    id: z.string(),
    from: IsoTime,
    minutes: z.number().int().meta({ description: 'Since the beginning of the session.' }),
    ended: z.number().int(),
    staked: MoneyOut,
    net: MoneyOut,
    open: z.number().int(),
    open_stake: MoneyOut,
  }),
})

/** A new device logged in to this account. The client requests the details. */
export const NewDevice = z.object({
  type: z.literal('newDevice'),
  data: z.object({
    device: z.string().meta({ description: 'Browser and system, if known; otherwise empty.' }),
  }),
})

/** There is a new notice in the inbox. The client requests the list. */
export const NoticeMessage = z.object({ type: z.literal('notice') })

/** A price alert of the user has fired at a tick. The client requests the list. */
export const AlertMessage = z.object({
  type: z.literal('alert'),
  data: z.object({
    id: z.string(),
    symbol: z.string(),
    price: PriceOut,
    q: z.number().meta({ description: 'Sequence number of the tick in the log.' }),
    time_ms: z.number(),
  }),
})

/** Markets, symbols or payouts changed. The client requests the list again. */
export const MarketsChanged = z.object({ type: z.literal('marketsChanged'), pingMarketStatus: MarketStatus })

/**
 * The newest price. `E` (crypto) or `t` (others) is the time of the price in milliseconds. `q` is sent only to clients
 * that subscribed to every tick.
 */
export const TickMessage = z.object({
  s: z.string(),
  c: PriceOut,
  P: z.number().meta({ description: 'Percent against the price 24 hours ago.' }),
  past: z.literal(true).optional().meta({
    description: 'The close of a bar from before our own prices, with the opening time of the bar. It is not a tick.',
  }),
  E: z.number().optional(),
  t: z.number().optional(),
  q: z.number().optional(),
})

export const SocketError = z.object({ type: z.literal('error'), code: z.string(), message: z.string() })

/** Messages of the server on `/ws/app`. Ticks come singly or as an array. */
export const AppSocketOut = z.union([
  Pong,
  NewTradeAccepted,
  NewTradeRefused,
  TradeResultOut,
  BalanceChanged,
  LimitsChanged,
  RealityCheckMessage,
  NoticeMessage,
  AlertMessage,
  NewDevice,
  MarketsChanged,
  SocketError,
  TickMessage,
  z.array(TickMessage),
])

export type Pong = z.output<typeof Pong>
export type NewTradeAccepted = z.output<typeof NewTradeAccepted>
export type NewTradeRefused = z.output<typeof NewTradeRefused>
export type TradeResultOut = z.output<typeof TradeResultOut>
export type BalanceChanged = z.output<typeof BalanceChanged>
export type LimitsChanged = z.output<typeof LimitsChanged>
export type RealityCheckMessage = z.output<typeof RealityCheckMessage>
export type NoticeMessage = z.output<typeof NoticeMessage>
export type AlertMessage = z.output<typeof AlertMessage>
export type NewDevice = z.output<typeof NewDevice>
export type MarketsChanged = z.output<typeof MarketsChanged>
export type TickMessage = z.output<typeof TickMessage>
export type SocketError = z.output<typeof SocketError>
export type AppSocketOut = z.output<typeof AppSocketOut>
