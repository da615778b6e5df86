import { z } from 'zod'
import {
  defineStaffCall,
  defineStaffList,
  LanguageCode,
  optionalFilter,
  SearchFilter,
} from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'

const Kind = z.enum(['page', 'post', 'banner', 'question'])
export type ContentKindOut = z.output<typeof Kind>

const Words = z.object({ title: z.string(), text: z.string() })

const ContentRow = z.object({
  kind: Kind,
  key: z.string(),
  /** The English title of the entry. */
  title: z.string(),
  is_published: z.boolean(),
  /** Whether the product ships the entry. Deleting a shipped entry only hides it, so staff can show it again. */
  is_shipped: z.boolean(),
  /** The languages in which staff wrote content. All others show English or the shipped translation. */
  languages: z.string(),
  icon: z.string(),
  link: z.string(),
  place: z.number(),
  published_at: IsoTime,
  updated_at: IsoTime,
  version: z.number(),
})
export type ContentRow = z.output<typeof ContentRow>

export const staffContent = defineStaffList({
  path: '/admin/content',
  may: 'content.see',
  summary: 'Pages, banners and questions in their order, posts newest first, including hidden ones.',
  filters: { kind: Kind, search: SearchFilter, state: optionalFilter(z.enum(['shown', 'hidden'])) },
  row: ContentRow,
})

const Address = z.object({ kind: Kind, key: z.string().max(100) })

export const staffContentEntry = defineStaffCall({
  method: 'GET',
  path: '/admin/content/:kind/:key',
  may: 'content.see',
  summary: 'An entry with its texts in every language.',
  params: Address,
  reply: ContentRow.extend({
    texts: z.record(z.string(), Words),
    /** The shipped text, shown until staff write content in a language. */
    shipped: z.record(z.string(), Words),
    /** The values of the placeholders `{count}`, `{since}` and `{proofs}` in the texts. */
    figures: z.object({ count: z.number(), since: z.string(), proofs: z.string() }),
    site_language: z.string(),
  }),
  refusals: ['not_found'],
})

const Version = z.number().int().min(0)

export const staffSaveContent = defineStaffCall({
  method: 'POST',
  path: '/admin/content/:kind/:key/save',
  may: 'content.edit',
  summary: 'Stores an entry in all languages. Version 0 creates it. HTML in its texts is converted to markup.',
  params: Address,
  body: z.object({
    version: Version,
    icon: z.string().regex(/^[\w.-]{0,60}$/),
    link: z.string().trim().max(500),
    place: z.number().int().min(0).max(9_999).nullable(),
    is_published: z.boolean(),
    published_at: z.iso.datetime().nullable(),
    texts: z.record(LanguageCode, z.object({ title: z.string().trim().max(120), text: z.string().trim().max(20_000) })),
  }),
  reply: z.object({ version: z.number() }),
  refusals: [
    'not_found',
    'changed_meanwhile',
    'content_key_invalid',
    'content_key_taken',
    'content_link_unsafe',
    'text_has_address',
    'title_needed',
    'language_unknown',
  ],
})

export const staffPublishTerms = defineStaffCall({
  method: 'POST',
  path: '/admin/terms-of-use/publish',
  may: 'content.edit',
  summary:
    'Announces the stored text of the page `terms` as a new version of the terms of use. Users get a notice 14 days ahead or earlier.',
  body: z.object({
    /** The version of the page `terms` that the announcer read. */
    draft_version: Version,
    from: z.iso.datetime(),
    needs_consent: z.boolean(),
    summary: z
      .record(LanguageCode, z.string().trim().min(1).max(1_000))
      .refine((texts) => 'en' in texts, 'must be written in English'),
  }),
  reply: z.object({ version: z.number() }),
  refusals: ['terms_from_early', 'changed_meanwhile', 'text_has_address', 'language_unknown'],
})

export const staffTermsVersions = defineStaffCall({
  method: 'GET',
  path: '/admin/terms-of-use',
  may: 'content.see',
  summary: 'The versions of the terms of use, newest first.',
  reply: z.object({
    versions: z.array(
      z.object({ version: z.number(), announced_at: IsoTime, from: IsoTime, needs_consent: z.boolean() }),
    ),
  }),
  refusals: [],
})

export const staffRemoveContent = defineStaffCall({
  method: 'POST',
  path: '/admin/content/:kind/:key/remove',
  may: 'content.edit',
  summary: 'Removes an entry. A shipped entry is hidden instead.',
  params: Address,
  body: z.object({ version: Version }),
  reply: z.null(),
  refusals: ['not_found', 'changed_meanwhile'],
})
