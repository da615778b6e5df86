import { z } from 'zod'
import { BREAK_LENGTHS, OWN_RULE_KEYS, REALITY_MINUTES, SELF_LIMIT_KEYS } from '#core/accounts/self-limits.ts'
import { defineCall } from '#contract/call.ts'
import { BreakOut } from '#contract/profile.ts'
import { IsoTime, MoneyIn, MoneyOut } from '#contract/wire.ts'

const LimitKey = z.enum(OWN_RULE_KEYS)
const RuleValue = z.number().nullable().meta({
  description: 'An amount, minutes of `reality_check`, or 1 of `withdrawal_lock`. Null: none.',
})

const Window = z
  .object({
    value: MoneyOut,
    used: MoneyOut.meta({ description: 'By orders that ended, or deposits credited, in the window.' }),
    open: MoneyOut.meta({ description: 'By open orders, or by deposits that wait.' }),
    left: MoneyOut,
    frees_at: IsoTime.nullable().meta({ description: 'When time alone makes room; null when it makes none.' }),
    since: IsoTime,
  })
  .nullable()
const Windows = z.object({ day: Window, week: Window, month: Window })

const Change = z.object({
  id: z.string(),
  key: LimitKey,
  from: RuleValue,
  to: RuleValue,
  asked_at: IsoTime,
  ready_at: IsoTime,
  lapses_at: IsoTime,
})

/** The limits that a user set for themselves, and their break. */
export const LimitsOut = z.object({
  stake_max: MoneyOut.nullable(),
  loss: Windows,
  staked: Windows,
  deposit: Windows,
  reality: z.object({
    minutes: z.number().int().nullable().meta({ description: 'Null: no reality check.' }),
    from: IsoTime.nullable().meta({ description: 'When the session began. Null without one.' }),
    due_at: IsoTime.nullable().meta({ description: 'From then on orders wait until the user has seen the check.' }),
  }),
  withdrawal_lock: z.boolean().meta({ description: 'Pending withdrawals cannot be cancelled.' }),
  withdrawal_lock_fixed: z.boolean().meta({ description: 'The lock applies to every user of this site.' }),
  prompt: z.boolean().meta({ description: 'The user has to decide about a limit before the first deposit.' }),
  waiting: z.array(Change.extend({ ready: z.boolean() })),
  break: BreakOut,
  history: z.array(
    Change.extend({
      direction: z.enum(['tighter', 'looser']),
      outcome: z.enum(['in_force', 'waiting', 'confirmed', 'dropped', 'lapsed']),
    }),
  ),
  as_of: IsoTime,
})
export type LimitsOut = z.output<typeof LimitsOut>

const Changes = z
  .array(
    z.discriminatedUnion('key', [
      z.object({
        key: z.enum(SELF_LIMIT_KEYS),
        value: MoneyIn.nullable().meta({ description: 'Null: no limit.' }),
      }),
      z.object({
        key: z.literal('reality_check'),
        value: z.literal(REALITY_MINUTES).nullable().meta({ description: 'Minutes. Null: no reality check.' }),
      }),
      z.object({ key: z.literal('withdrawal_lock'), value: z.boolean() }),
    ]),
  )
  .max(OWN_RULE_KEYS.length)
  .refine((changes) => new Set(changes.map(({ key }) => key)).size === changes.length, 'one value for each limit')
export type LimitChangeIn = z.output<typeof Changes>[number]

export const limits = defineCall({
  method: 'GET',
  path: '/user/limits',
  who: 'verified',
  key: 'never',
  summary: "The caller's own limits with their use, and the caller's break.",
  reply: LimitsOut,
  refusals: [],
})

export const changeLimits = defineCall({
  method: 'POST',
  path: '/user/limits',
  who: 'verified',
  key: 'never',
  summary:
    'Changes own limits, all or none. A tighter limit applies at the reply. A looser limit waits for 24 hours and then for a confirmation.',
  body: z.object({
    changes: Changes.min(1),
  }),
  reply: z.object({
    outcomes: z.array(z.object({ key: LimitKey, in_force: RuleValue, ready_at: IsoTime.nullable() })),
    limits: LimitsOut,
  }),
  refusals: ['amount_invalid', 'above_maximum'],
})

export const limitPrompt = defineCall({
  method: 'POST',
  path: '/user/limits/prompt',
  who: 'verified',
  key: 'never',
  summary: 'Decides about a limit before the first deposit: sets limits, or goes without.',
  body: z
    .object({ answer: z.enum(['set', 'none']), changes: Changes.optional() })
    .refine(
      ({ answer, changes = [] }) => (answer === 'set') === changes.length > 0,
      'changes go with the answer `set`',
    ),
  reply: z.object({ limits: LimitsOut }),
  refusals: ['amount_invalid', 'above_maximum'],
})

const ChangeId = z.object({ id: z.uuid() })

export const confirmLimitChange = defineCall({
  method: 'POST',
  path: '/user/limits/confirm',
  who: 'verified',
  key: 'never',
  summary: 'Confirms a looser limit after its 24 hours.',
  body: ChangeId,
  reply: z.object({ limits: LimitsOut }),
  refusals: ['not_found', 'change_waits', 'change_lapsed', 'change_ended'],
})

export const dropLimitChange = defineCall({
  method: 'POST',
  path: '/user/limits/drop',
  who: 'verified',
  key: 'never',
  summary: 'Cancels a waiting change of a limit.',
  body: ChangeId,
  reply: z.object({ limits: LimitsOut }),
  refusals: ['not_found', 'change_waits', 'change_lapsed', 'change_ended'],
})

export const realitySeen = defineCall({
  method: 'POST',
  path: '/user/reality/seen',
  who: 'verified',
  key: 'never',
  summary: 'The user has seen the reality check. Orders are open again, and the interval starts again.',
  body: z.object({ id: z.string().max(20).meta({ description: '`id` of the message `realityCheck`.' }) }),
  reply: z.object({ due_at: IsoTime.nullable() }),
  refusals: [],
})

export const BREAK_REFUSALS = ['break_too_short', 'break_too_long', 'break_shorter'] as const
const { time_out: days, exclusion: months } = BREAK_LENGTHS

export const takeTimeOut = defineCall({
  method: 'POST',
  path: '/user/breaks/time-out',
  who: 'verified',
  key: 'never',
  summary: 'Begins a time-out of some days without orders and deposits. No one can shorten it.',
  body: z.object({
    days: z
      .number()
      .int()
      .meta({ description: `${days.min} to ${days.max}.` }),
  }),
  reply: z.object({ break: BreakOut }),
  refusals: BREAK_REFUSALS,
})

export const takeExclusion = defineCall({
  method: 'POST',
  path: '/user/breaks/exclusion',
  who: 'verified',
  key: 'never',
  summary:
    'Begins an exclusion of some months without orders and deposits, which then lasts until the user returns. No one can shorten it.',
  body: z.object({
    months: z
      .number()
      .int()
      .meta({ description: `${months.min} to ${months.max}.` }),
    understood: z.literal(true),
  }),
  reply: z.object({ break: BreakOut }),
  refusals: ['confirmation_needed', ...BREAK_REFUSALS],
})

export const askToReturn = defineCall({
  method: 'POST',
  path: '/user/breaks/return',
  who: 'verified',
  key: 'never',
  summary: 'Requests to trade again after the end of an exclusion. A confirmation is possible after 24 hours.',
  reply: z.object({ break: BreakOut }),
  refusals: ['confirmation_needed', 'not_found', 'excluded'],
})

export const confirmReturn = defineCall({
  method: 'POST',
  path: '/user/breaks/return/confirm',
  who: 'verified',
  key: 'never',
  summary: 'Confirms the return, at least 24 hours after the request. Then the user can trade again.',
  reply: z.object({ break: BreakOut }),
  refusals: ['confirmation_needed', 'not_found', 'on_break', 'excluded', 'return_waits'],
})
