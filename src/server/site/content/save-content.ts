import { findPaymentAddress } from '#core/content/payment-address.ts'
import { isSafeLink } from '#core/content/safe-link.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import { FALLBACK_LANGUAGE, LANGUAGES, readLanguage } from '#messages/languages.ts'
import type { Actor } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { sanitizeContentText } from '#server/site/content/sanitize-content.ts'
import {
  type ContentKind,
  type ContentTexts,
  isContentKey,
  lockContent,
  nextPlace,
  putContent,
} from '#server/site/content/content.queries.ts'
import { unknownLanguage } from '#server/site/content/unknown-language.ts'
import { contentTarget, recordContent } from '#server/site/content/record-content.ts'
import { isShipped } from '#server/site/content/shipped-content.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

export interface ContentEdit {
  readonly kind: ContentKind
  readonly key: string
  /** The version that the editor saw. 0 creates the entry. */
  readonly version: number
  readonly icon: string
  readonly link: string
  /** The position. If null, an existing entry keeps its position, and a new one is placed last. */
  readonly sort: number | null
  readonly isPublished: boolean
  /** If null, an existing entry keeps its time, and a new one gets the current time. */
  readonly publishedAt: Instant | null
  readonly texts: ContentTexts
  readonly actor: Actor
}

type SaveRefusal =
  | 'not_found'
  | 'language_unknown'
  | 'content_key_invalid'
  | 'content_key_taken'
  | 'content_link_unsafe'
  | 'title_needed'
  | 'text_has_address'
  | 'changed_meanwhile'

/** Stores an edited entry in all languages, unless its version is outdated. */
export async function saveContent(ctx: Ctx, edit: ContentEdit): Promise<Result<{ version: number }, SaveRefusal>> {
  const { kind, key, link, icon, isPublished, actor } = edit
  if (!isContentKey(key)) return refuse('content_key_invalid')
  if (link !== '' && !isSafeLink(link)) return refuse('content_link_unsafe')
  const strange = unknownLanguage(edit.texts)
  if (strange) return strange
  const texts = writtenOnly(edit.texts)
  const untitled = Object.keys(texts).find((language) => texts[language]?.title === '')
  if (untitled !== undefined || (Object.keys(texts).length === 0 && !isShipped(kind, key))) {
    const language = readLanguage(untitled) ?? FALLBACK_LANGUAGE
    return refuse('title_needed', { params: { language: LANGUAGES[language].name } })
  }
  const words = Object.values(texts).flatMap(({ title, text }) => [title, text])
  const address = findPaymentAddress(words.join('\n'))
  if (address !== null) return refuse('text_has_address', { params: { found: address } })
  return ctx.db.transaction().execute(async (tx) => {
    const known = await lockContent(tx, kind, key)
    const stale = await staleness(tx, edit, known?.version ?? 0)
    if (stale) return stale
    const now = ctx.now()
    const entry = {
      kind,
      key,
      icon,
      link,
      sort: edit.sort ?? known?.sort ?? (await nextPlace(tx, kind)),
      isPublished,
      publishedAt: edit.publishedAt ?? known?.publishedAt ?? now,
      texts,
      version: edit.version + 1,
    }
    await putContent(tx, entry, now)
    await recordContent(tx, ctx, actor, { before: known, after: entry })
    return ok({ version: entry.version })
  })
}

async function staleness(
  tx: Tx,
  { kind, key, version, actor }: ContentEdit,
  stored: number,
): Promise<Refusal<'not_found' | 'content_key_taken' | 'changed_meanwhile'> | null> {
  if (stored === version) return null
  if (version === 0) return refuse('content_key_taken')
  if (stored === 0) return refuse('not_found')
  return staleWriteRefusal(tx, { target: contentTarget(kind, key), seenVersion: version, actor })
}

/** Sanitises the texts, and leaves out languages with neither title nor text. */
function writtenOnly(texts: ContentTexts): ContentTexts {
  const cleaned = Object.entries(texts).map(([language, words]) => [language, sanitizeContentText(words)] as const)
  return Object.fromEntries(cleaned.filter(([, { title, text }]) => title !== '' || text !== ''))
}
