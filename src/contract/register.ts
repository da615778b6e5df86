import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, Text } from '#contract/wire.ts'

/**
 * The path of the register's files. The path is outside `/api`, because programs of third parties read the files too.
 */
export const REGISTER_PATH = '/register'

const Size = z.number().int().nonnegative().meta({ description: 'The number of entries.' })
const Base64Hash = z.string().meta({ description: 'SHA-256 in base64.' })

/**
 * The proof that the register holds the batch of a receipt. The format is described in `docs/reference/register.md`.
 */
export const RegisterProofOut = z.object({
  index: z.number().int().nonnegative(),
  text: z.string().meta({ description: 'The entry, exactly as it was hashed.' }),
  batch_path: z.array(z.object({ side: z.enum(['left', 'right']), hash: z.string() })).readonly(),
  path: z.array(Base64Hash).readonly(),
  note: z.string().meta({ description: 'The checkpoint with all signatures.' }),
})

export const proofRegister = defineCall({
  method: 'GET',
  path: '/proof/register',
  who: 'anyone',
  key: 'read',
  summary: 'The register of everything that was published: its name, keys, newest state and witnesses.',
  reply: z.object({
    origin: z.string(),
    mode: z.enum(['demo', 'live']),
    keys: z.array(z.object({ verifier_key: z.string(), is_retired: z.boolean() })),
    newest: z.object({ size: Size, root: Base64Hash, at: IsoTime }).nullable(),
    halted_since: IsoTime.nullable().meta({
      description: 'While it is halted, nothing is added and no orders are taken.',
    }),
    witnesses: z.array(
      z.object({
        name: z.string(),
        verifier_key: z.string(),
        run_by: z.string(),
        is_ours: z.boolean().meta({ description: 'Run by the operator. Such a witness proves nothing to others.' }),
        size: Size.nullable().meta({ description: 'The newest state that it has cosigned.' }),
        at: IsoTime.nullable(),
      }),
    ),
  }),
  refusals: ['register_empty'],
})

export const proofOfReceipt = defineCall({
  method: 'GET',
  path: '/proof/receipts/:trx/register',
  who: 'anyone',
  key: 'read',
  summary: 'The proofs that the register holds the receipts of an order.',
  params: z.object({ trx: Text(40) }),
  reply: z.object({
    accepted: RegisterProofOut.nullable().meta({ description: 'Null for up to two minutes after a receipt was made.' }),
    result: RegisterProofOut.nullable(),
    amended: RegisterProofOut.nullable(),
    sale: RegisterProofOut.nullable(),
  }),
  refusals: ['receipt_unknown', 'rate_limited'],
})

export const proofBatches = defineCall({
  method: 'GET',
  path: '/proof/register/batches/:index',
  who: 'anyone',
  key: 'read',
  summary:
    'The roots of the receipt batches that an entry of the register sums up. A receipt under none of them is not in that entry.',
  params: z.object({ index: z.coerce.number().int().nonnegative() }),
  reply: z.object({
    roots: z.array(z.string()).readonly().meta({ description: 'SHA-256 in hexadecimal, in the order of the tree.' }),
  }),
  refusals: ['rate_limited'],
})

export const proofConsistency = defineCall({
  method: 'GET',
  path: '/proof/register/consistency',
  who: 'anyone',
  key: 'read',
  summary: 'The proof that an older state of the register is the beginning of a newer one (RFC 6962, section 2.1.2).',
  query: z.object({
    from: z.coerce.number().int().nonnegative().default(0),
    to: z.coerce.number().int().nonnegative().default(0),
  }),
  reply: z.object({ hashes: z.array(Base64Hash) }),
  refusals: ['register_size', 'rate_limited'],
})

export const addCosignature = defineCall({
  method: 'POST',
  path: '/proof/cosignatures',
  who: 'anyone',
  key: 'never',
  summary: 'Adds the signature of a known witness to a checkpoint.',
  body: z.object({ size: z.number().int().positive(), line: Text(1_000) }),
  reply: z.object({}),
  refusals: ['cosignature_unknown', 'rate_limited'],
})
