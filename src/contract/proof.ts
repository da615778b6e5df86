import { z } from 'zod'
import { type OwnProof, PROOF_FORMAT, PROOF_VERSION } from '#core/proof/own-proof.ts'
import { defineCall } from '#contract/call.ts'
import { IsoTime, PageQuery } from '#contract/wire.ts'

const HashOut = z.string().meta({ description: 'SHA-256 as 64 hexadecimal digits.' })
const AmountOut = z.string().meta({ description: 'Hundredths of the currency, a whole number as text.' })

const DayRecordOut = z.object({
  number: z.number().int().meta({ description: 'From 1, without gaps.' }),
  day: z.iso.date().meta({ description: 'In UTC.' }),
  taken_at: IsoTime,
  currency: z.string(),
  leaves: z.number().int(),
  total: AmountOut,
  root: HashOut,
  previous: HashOut.meta({ description: 'Head of the previous record; zeros in the first record.' }),
  head: HashOut.meta({ description: 'Hash over the whole record, including the previous head.' }),
})

/**
 * A user's own proof, as the call returns it and as it is saved to a file. The format is described in
 * `docs/reference/liabilities.md`.
 */
export const OwnProofOut: z.ZodType<OwnProof> = z.object({
  format: z.literal(PROOF_FORMAT),
  version: z.literal(PROOF_VERSION),
  record: DayRecordOut,
  account: z.object({ id: z.string(), salt: HashOut, cash: AmountOut, staked: AmountOut, withdrawing: AmountOut }),
  parts: z.array(
    z.object({
      amount: AmountOut,
      index: z.number().int(),
      siblings: z.array(z.object({ hash: HashOut, sum: AmountOut })),
    }),
  ),
})

const NextAt = IsoTime.meta({ description: 'When the next day is due.' })

export const liabilities = defineCall({
  method: 'GET',
  path: '/proof/liabilities',
  who: 'anyone',
  key: 'read',
  summary: 'The total owed to all users on each day, with the root of its Merkle-sum tree. Newest day first.',
  query: PageQuery,
  paged: true,
  reply: z.object({
    days: z.array(DayRecordOut),
    since: z.string().meta({ description: 'The first published day; empty before the first.' }),
    next_at: NextAt,
    kept_days: z.number().int().meta({ description: 'Number of days for which users can download their proofs.' }),
    statement: z.string().meta({ description: 'Statement of the operator about the funds held; not proven here.' }),
  }),
  refusals: [],
})
export type LiabilitiesReply = z.output<typeof liabilities.reply>

export const ownLiability = defineCall({
  method: 'GET',
  path: '/user/proof/liabilities',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: "The proof that the amount owed to the caller is part of a day's total. Default: the newest day.",
  query: z.object({ day: z.iso.date().optional() }),
  reply: z.object({
    proof: OwnProofOut.nullable().meta({ description: 'Null while the account is in no snapshot yet.' }),
    next_at: NextAt,
  }),
  refusals: ['proof_unknown'],
})
