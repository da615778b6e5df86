import { z } from 'zod'
import { MEASURE_KINDS } from '#core/accounts/measures.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime, MoneyOut } from '#contract/wire.ts'

const MeasureOut = z.object({
  kind: z.enum(MEASURE_KINDS),
  value: MoneyOut.nullable().meta({ description: 'The limit. Null for other kinds.' }),
  reason: z.string(),
  since: IsoTime,
  until: IsoTime.nullable().meta({ description: 'When it ends by itself. Null: not by itself.' }),
  ended: IsoTime.nullable().meta({ description: 'Null while it is in force.' }),
})
export type MeasureOut = z.output<typeof MeasureOut>

export const userMeasures = defineCall({
  method: 'GET',
  path: '/user/measures',
  who: 'user',
  key: 'never',
  leaving: true,
  summary: 'All measures of staff against the caller, ended ones too, as a list and as a signed statement.',
  reply: z.object({
    measures: z.array(MeasureOut).meta({ description: 'Newest first. Empty: there never was one.' }),
    statement: z.string().meta({
      description:
        'The same list as a compact JWS with `typ` `fairwick-measures`, signed with the key of the receipts. Amounts are in cents.',
    }),
  }),
  refusals: [],
})

const Count = z.number().int().nonnegative()

export const proofMeasures = defineCall({
  method: 'GET',
  path: '/proof/measures',
  who: 'anyone',
  key: 'read',
  summary: 'How many accounts have measures against them, and how many of these were ahead when the measure began.',
  reply: z.object({
    kinds: z.array(
      z.object({
        kind: z.enum(MEASURE_KINDS),
        accounts: Count.meta({ description: 'Accounts with such a measure now.' }),
        accounts_90_days: Count.meta({ description: 'Accounts that had one within 90 days.' }),
        ahead: Count.meta({
          description: 'Those of `accounts_90_days` whose orders of 90 days summed to more than zero when it began.',
        }),
      }),
    ),
    all: z
      .object({ users: Count, ahead: Count })
      .nullable()
      .meta({ description: 'All users with orders in 90 days, to compare with. Null when they are too few.' }),
  }),
  refusals: [],
})
export type ProofMeasures = z.output<typeof proofMeasures.reply>
