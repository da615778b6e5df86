import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime } from '#contract/wire.ts'

const Version = z.object({
  number: z.number().int(),
  hash: z.string().meta({ description: 'The leaf hash of the text, which batches of the tick log name.' }),
  seen_at: IsoTime,
  applies_at: IsoTime.meta({ description: 'From then on it counts for new orders.' }),
})

const Peer = z.object({
  host: z.string(),
  spki_sha256: z.string().meta({ description: 'SHA-256 of the public key, hexadecimal.' }),
  issuer: z.string(),
  subject: z.string(),
  not_after: IsoTime,
  first_at: IsoTime,
  last_at: IsoTime,
  count: z.number().int().meta({ description: 'How many connections showed it.' }),
})

const Clock = z.object({
  source: z.string().meta({ description: 'A provider, a witness, or `database`, which does not count.' }),
  low_ms: z.number().int().nullable().meta({ description: 'Our clock is ahead by at least this. Null when unknown.' }),
  high_ms: z.number().int().nullable().meta({ description: 'Our clock is ahead by at most this. Null when unknown.' }),
})

export const proofSources = defineCall({
  method: 'GET',
  path: '/proof/sources',
  who: 'anyone',
  key: 'read',
  summary: 'Where prices come from: the configuration in force, all changes of it, and the certificates of the hosts.',
  reply: z.object({
    in_force: Version.extend({ text: z.string().meta({ description: 'Exactly as it was hashed.' }) }).nullable(),
    versions: z.array(Version).meta({ description: 'All configurations, newest first.' }),
    clock: z
      .object({
        at: IsoTime,
        error_ms: z.number().int().nullable().meta({
          description:
            'How far our clock is proven to be ahead; negative when behind. Null when the others agree on no time.',
        }),
        clocks: z.array(Clock),
      })
      .nullable()
      .meta({ description: 'Our clock compared with others. Null without a measurement in the last three minutes.' }),
    peers: z
      .array(Peer)
      .meta({ description: 'Proves nothing by itself: compare it with what your computer is shown.' }),
  }),
  refusals: [],
})

export const proofSource = defineCall({
  method: 'GET',
  path: '/proof/sources/:number',
  who: 'anyone',
  key: 'read',
  summary: 'One configuration of the price sources.',
  params: z.object({ number: z.string() }),
  reply: Version.extend({ text: z.string() }),
  refusals: ['not_found'],
})
