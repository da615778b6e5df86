import { z } from 'zod'
import {
  defineStaffCall,
  defineStaffList,
  LanguageCode,
  optionalFilter,
  SearchFilter,
} from '#contract/back-office/staff-call.ts'

const TextRow = z.object({
  key: z.string(),
  language: LanguageCode,
  english: z.string(),
  /**
   * The shipped text in this language. Null when the product has no text in this language, so that English is shown.
   */
  shipped: z.string().nullable(),
  /** The override by staff. Null when there is none. */
  own: z.string().nullable(),
  /** The placeholders that a text must keep, comma-separated. */
  places: z.string(),
  version: z.number(),
  /** Whether the text is about money or results and cannot be overridden. */
  is_locked: z.boolean(),
})
export type TextRow = z.output<typeof TextRow>

export const staffTexts = defineStaffList({
  path: '/admin/texts',
  may: 'content.see',
  summary: 'Every text of the app in one language, with its override.',
  filters: {
    language: LanguageCode.default('en'),
    search: SearchFilter,
    only: optionalFilter(z.enum(['changed', 'missing'])),
  },
  row: TextRow,
})

const Address = z.object({ language: LanguageCode, key: z.string().max(100) })
const Version = z.number().int().min(0)

export const staffTextEntry = defineStaffCall({
  method: 'GET',
  path: '/admin/texts/:language/:key',
  may: 'content.see',
  summary: 'One text in one language.',
  params: Address,
  reply: TextRow,
  refusals: ['not_found'],
})

export const staffSaveText = defineStaffCall({
  method: 'POST',
  path: '/admin/texts/:language/:key/save',
  may: 'content.edit',
  summary: 'Overrides a shipped text. The placeholders must stay the same.',
  params: Address,
  body: z.object({ version: Version, text: z.string().trim().max(2_000) }),
  reply: z.object({ version: z.number() }),
  refusals: ['not_found', 'changed_meanwhile', 'text_empty', 'text_places', 'text_locked', 'text_has_address'],
})

export const staffResetText = defineStaffCall({
  method: 'POST',
  path: '/admin/texts/:language/:key/reset',
  may: 'content.edit',
  summary: 'Removes the override of a text.',
  params: Address,
  body: z.object({ version: Version }),
  reply: z.object({ version: z.number() }),
  refusals: ['not_found', 'changed_meanwhile'],
})

export const staffLanguages = defineStaffCall({
  method: 'GET',
  path: '/admin/languages',
  may: 'content.see',
  summary: 'All languages, and which of them visitors can choose.',
  reply: z.object({
    languages: z.array(
      z.object({
        code: LanguageCode,
        name: z.string(),
        is_offered: z.boolean(),
        is_default: z.boolean(),
        /**
         * The number of texts that staff have overridden, and the number of texts that are shown in English for lack of
         * a translation.
         */
        changed: z.number(),
        missing: z.number(),
      }),
    ),
  }),
  refusals: [],
})

export const staffOfferLanguages = defineStaffCall({
  method: 'POST',
  path: '/admin/languages/offer',
  may: 'content.edit',
  summary: "Sets the languages that visitors can choose. The site's own language is always one of them.",
  body: z.object({
    /** The languages that were offered when the staff member began to edit. */
    seen: z.array(LanguageCode).max(100),
    offered: z.array(LanguageCode).max(100),
  }),
  reply: z.null(),
  refusals: ['changed_meanwhile', 'own_language_needed', 'language_unknown'],
})
