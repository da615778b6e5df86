import { z } from 'zod'
import { defineCall } from '#contract/call.ts'
import { IsoTime, Text } from '#contract/wire.ts'

const VersionOut = z.object({
  version: z.number().int(),
  title: z.string(),
  text: z.string(),
  summary: z.string().meta({ description: 'What this version changes. Empty for the first one.' }),
  sha256: z.string().meta({ description: 'SHA-256 of `text` in UTF-8, in hexadecimal digits.' }),
  from: IsoTime,
  needs_consent: z.boolean(),
})
export type TermsVersionOut = z.output<typeof VersionOut>

export const TermsOfUseOut = z.object({
  current: VersionOut,
  upcoming: VersionOut.nullable(),
  agreed: z
    .object({ version: z.number().int(), at: IsoTime, language: z.string(), sha256: z.string() })
    .nullable()
    .meta({ description: 'The newest version that the caller agreed to.' }),
  needed: z.boolean().meta({ description: 'Whether orders and deposits wait for the consent of the caller.' }),
  versions: z.array(z.object({ version: z.number().int(), from: IsoTime })),
})
export type TermsOfUseOut = z.output<typeof TermsOfUseOut>

export const termsOfUse = defineCall({
  method: 'GET',
  path: '/user/terms',
  who: 'anyone',
  key: 'read',
  summary: 'The terms of use in the language of the request: in force, announced, and what the caller agreed to.',
  reply: TermsOfUseOut,
  refusals: [],
})

export const termsOfUseVersion = defineCall({
  method: 'GET',
  path: '/user/terms/:version',
  who: 'anyone',
  key: 'read',
  summary: 'One version of the terms of use, also an old one.',
  params: z.object({ version: Text(100) }),
  reply: VersionOut,
  refusals: ['not_found'],
})

export const agreeToTerms = defineCall({
  method: 'POST',
  path: '/user/terms/agree',
  who: 'user',
  key: 'never',
  summary: 'Agrees to a version of the terms of use, in force or announced. `sha256` names the text that was shown.',
  body: z.object({ version: z.number().int().min(1).max(2_147_483_647), sha256: Text(64) }),
  reply: TermsOfUseOut,
  refusals: ['terms_changed'],
})
