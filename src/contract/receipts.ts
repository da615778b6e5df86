import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { Text } from '#contract/wire.ts'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Seq = z.number().int().nonnegative()
const Ms = z.number().int().nonnegative()

/** A receipt, as `src/core/proof/receipt.ts` parses it. */
export const ReceiptOut = z.object({
  format: z.literal('fairwick-receipt'),
  version: z.literal(1),
  facts: z.string().meta({ description: 'The facts as text, exactly as they were hashed.' }),
  path: z.array(z.object({ side: z.enum(['left', 'right']), hash: Hash })).readonly(),
  signature: z.string().meta({ description: 'A compact JWS (EdDSA) over the root that facts and path lead to.' }),
  owner: z.string().optional().meta({ description: 'Only for the owner of the order.' }),
  sale_owner: z.string().optional().meta({ description: 'The amounts of a sale. Only for the owner of the order.' }),
})

export const proofReceipt = defineCall({
  method: 'GET',
  path: '/proof/receipts/:trx',
  who: 'anyone',
  key: 'read',
  leaving: true,
  summary: 'The signed receipts of an order: of its acceptance and of its result. They name no user and no stake.',
  params: z.object({ trx: Text(40) }),
  reply: z.object({
    accepted: ReceiptOut,
    result: ReceiptOut.nullable(),
    amended: ReceiptOut.nullable().meta({ description: 'Of a payment that made the result good.' }),
    sale: ReceiptOut.nullable().meta({ description: 'Of a sale before the expiry, in place of a result.' }),
  }),
  refusals: ['receipt_unknown', 'receipt_not_yet', 'rate_limited'],
})

const TickPlace = z.object({ q: Seq, price: z.number(), time_ms: Ms })

/** A batch of the tick log, see docs/reference/tick-log.md. */
export const LogBatchOut = z.object({
  first_seq: Seq,
  last_seq: Seq,
  previous_hash: Hash,
  hash: Hash,
  payload: z.string(),
})

export const proofEvidence = defineCall({
  method: 'GET',
  path: '/proof/evidence/:trx',
  who: 'anyone',
  key: 'read',
  summary: 'The parts of the tick log from which an order can be recomputed, and the prices between them for drawing.',
  params: z.object({ trx: Text(40) }),
  reply: z.object({
    entry_log: z
      .array(LogBatchOut)
      .readonly()
      .meta({ description: 'From before the entry to the log as it was when the order was taken.' }),
    exit_log: z.array(LogBatchOut).readonly().meta({
      description: 'From before the exit, or what has to be empty, to the log as it was when the price was decided.',
    }),
    terms: z.array(z.string()).readonly().meta({
      description: 'The published trade terms from the first entry on, where the receipt names them: from rule 2 on.',
    }),
    sources: z.array(z.string()).readonly().meta({
      description: 'The published configuration of the price sources at the entry, where the receipt names a class.',
    }),
    next: TickPlace.nullable().meta({
      description:
        'The first tick after the expiry, once it is known; for showing. Where a heartbeat decided the price, the receipt names none.',
    }),
    line: z.array(TickPlace).meta({
      description:
        'Ticks from before the entry to after the expiry, only for drawing: of each moment the first, lowest, highest and last. Of a time of more than 90 minutes, those around its entry and around its expiry.',
    }),
  }),
  refusals: ['receipt_unknown', 'receipt_not_yet', 'evidence_gone', 'evidence_large', 'rate_limited'],
})

export const proofKeys = defineCall({
  method: 'GET',
  path: '/proof/keys',
  who: 'anyone',
  key: 'read',
  summary: 'All public keys that ever signed receipts, as JWKs.',
  reply: z.object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
        kid: z.string(),
        x: z.string(),
        from_ms: Ms,
        retired_ms: Ms.nullable(),
      }),
    ),
  }),
  refusals: [],
})

export const proofHeads = defineCall({
  method: 'GET',
  path: '/proof/heads',
  who: 'anyone',
  key: 'read',
  summary: 'The hash at the end of each past day of the tick log, newest first.',
  reply: z.object({
    days: z.array(
      z.object({
        day: z.string(),
        first_seq: Seq,
        last_seq: Seq,
        previous_hash: Hash,
        hash: Hash,
        is_kept: z.boolean().meta({ description: 'All its ticks are still here: its file can be had.' }),
      }),
    ),
  }),
  refusals: [],
})
