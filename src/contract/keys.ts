import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut, PositiveMoneyIn } from '#contract/wire.ts'
import { DEFAULT_KEY_DAYS, KEY_DAYS, KEY_SCOPES, MAX_KEY_NAME, isKeyOpenOrders } from '#core/accounts/api-keys.ts'

const Scope = z.enum(KEY_SCOPES)
const Account = z.enum(['demo', 'live']).meta({ description: 'The account of the key. On a live site keys only read.' })

const KeyRow = z.object({
  id: z.string().meta({ description: 'The part of the key after `fwk_`. It is no secret.' }),
  name: z.string(),
  scope: Scope,
  addresses: z.array(z.string()).meta({ description: 'Addresses and ranges that may use the key. Empty: all.' }),
  max_stake: MoneyOut.nullable(),
  max_stake_day: MoneyOut.nullable(),
  max_open_orders: z.number().int().nullable(),
  created_at: IsoTime,
  expires_at: IsoTime,
  used_at: IsoTime.nullable().meta({ description: 'The last use, to the minute.' }),
  used_address: z.string().nullable(),
  used_client: z.string().nullable().meta({ description: 'How the program names itself (`User-Agent`).' }),
  orders_today: z.number().int().meta({ description: 'Since 00:00 UTC.' }),
})
export type KeyRow = z.output<typeof KeyRow>

export const keys = defineCall({
  method: 'GET',
  path: '/user/keys',
  who: 'verified',
  key: 'never',
  summary: "The caller's keys for programs that are in force.",
  reply: z.object({ account: Account, keys: z.array(KeyRow) }),
  refusals: [],
})

export const makeKey = defineCall({
  method: 'POST',
  path: '/user/keys',
  who: 'verified',
  key: 'never',
  summary: 'Makes a key for programs. The reply is the only one that contains it.',
  body: z.object({
    name: z.string().trim().min(1).max(MAX_KEY_NAME),
    scope: Scope,
    days: z.literal(KEY_DAYS).default(DEFAULT_KEY_DAYS),
    addresses: z.array(z.string().trim().max(50)).max(50).default([]).meta({
      description: 'At most 10 IPv4 or IPv6 addresses or ranges, none wider than /8 or /32. Empty: all.',
    }),
    anywhere: z.boolean().default(false).meta({
      description: 'Confirms that a key that trades has no list of addresses.',
    }),
    max_stake: PositiveMoneyIn.nullish(),
    max_stake_day: PositiveMoneyIn.nullish().meta({ description: 'All stakes of a UTC day together.' }),
    max_open_orders: z
      .number()
      .refine(isKeyOpenOrders, { params: { refusal: 'key_open_orders_invalid' } })
      .nullish(),
  }),
  reply: z.object({ id: z.string(), secret: z.string().meta({ description: 'The whole key: `fwk_…`.' }) }),
  refusals: [
    'confirmation_needed',
    'key_read_only',
    'key_addresses_invalid',
    'key_anywhere_unconfirmed',
    'amount_invalid',
    'amount_not_positive',
    'key_open_orders_invalid',
    'too_many_keys',
  ],
})

export const endKey = defineCall({
  method: 'POST',
  path: '/user/keys/:id/end',
  who: 'verified',
  key: 'never',
  summary: 'Ends a key, and closes its sockets.',
  params: z.object({ id: z.string().max(40) }),
  reply: z.object({}),
  refusals: ['not_found'],
})

export const endKeys = defineCall({
  method: 'POST',
  path: '/user/keys/end-all',
  who: 'verified',
  key: 'never',
  summary: "Ends all of the caller's keys, and closes their sockets.",
  reply: z.object({ ended: z.number().int() }),
  refusals: [],
})

const Rate = z.object({ per_second: z.number(), burst: z.number().int() })
const Used = z.object({ value: MoneyOut.nullable(), used: MoneyOut })

export const keyItself = defineCall({
  method: 'GET',
  path: '/user/key',
  who: 'verified',
  key: 'read',
  summary: 'The key that makes this call: what it may do, its end, its limits and the balance.',
  reply: z.object({
    id: z.string(),
    name: z.string(),
    scope: Scope.meta({ description: 'What the key may do on this site.' }),
    account: Account,
    expires_at: IsoTime,
    balance: MoneyOut,
    limits: z.object({
      read: Rate,
      trade: Rate,
      max_stake: MoneyOut.nullable(),
      stake_day: Used,
      open_orders: Used,
    }),
  }),
  refusals: ['not_found', 'not_signed_in'],
})
