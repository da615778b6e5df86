import { findPaymentAddress } from '#core/content/payment-address.ts'
import { isSafeLink } from '#core/content/safe-link.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { sanitizeLine } from '#server/site/content/sanitize-content.ts'
import { byLanguage } from '#server/site/content/record-content.ts'
import {
  deleteAnnouncement,
  lockAnnouncement,
  putAnnouncement,
  type SiteAnnouncement,
} from '#server/site/content/site-announcements.queries.ts'
import type { SiteAnnouncements } from '#server/site/content/site-announcements.ts'
import { unknownLanguage } from '#server/site/content/unknown-language.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

interface Parts {
  readonly ctx: Ctx
  readonly announcements: SiteAnnouncements
  /** The site's default language. A text in this language or in English is required. */
  readonly siteLanguage: Language
}

type SaveRefusal =
  | 'not_found'
  | 'changed_meanwhile'
  | 'content_link_unsafe'
  | 'announcement_text_needed'
  | 'period_invalid'
  | 'language_unknown'
  | 'text_has_address'

/**
 * Stores an edited announcement. Visitors see the change within a minute, when their page polls again. Version 0
 * creates the announcement.
 */
export async function saveAnnouncement(
  { ctx, announcements, siteLanguage }: Parts,
  { actor, ...edit }: SiteAnnouncement & { readonly actor: Actor },
): Promise<Result<{ version: number }, SaveRefusal>> {
  const { id, link, from, until } = edit
  if (link !== '' && !isSafeLink(link)) return refuse('content_link_unsafe')
  if (until <= from) return refuse('period_invalid')
  const strange = unknownLanguage(edit.texts)
  if (strange) return strange
  const texts = writtenOnly(edit.texts)
  if (texts[siteLanguage] === undefined && texts['en'] === undefined) return refuse('announcement_text_needed')
  const address = findPaymentAddress(Object.values(texts).join('\n'))
  if (address !== null) return refuse('text_has_address', { params: { found: address } })
  const saved = { ...edit, texts, version: edit.version + 1 }
  const done = await ctx.db.transaction().execute(async (tx) => {
    const known = await lockAnnouncement(tx, id)
    if (known === null && edit.version !== 0) return refuse('not_found')
    if (known !== null && known.version !== edit.version) {
      return staleWriteRefusal(tx, { target: targetOf(id), seenVersion: edit.version, actor })
    }
    await putAnnouncement(tx, saved, ctx.now())
    await recordAction(tx, ctx, actor, {
      target: targetOf(id),
      outcome: 'done',
      before: known && fieldsOf(known),
      after: fieldsOf(saved),
    })
    return ok({ version: saved.version })
  })
  if (done.ok) await announcements.reload()
  return done
}

/** Removes an announcement for all visitors. */
export async function removeAnnouncement(
  { ctx, announcements }: Pick<Parts, 'ctx' | 'announcements'>,
  { id, version, actor }: { readonly id: string; readonly version: number; readonly actor: Actor },
): Promise<Result<undefined, 'not_found' | 'changed_meanwhile'>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const known = await lockAnnouncement(tx, id)
    if (known === null) return refuse('not_found')
    if (known.version !== version) return staleWriteRefusal(tx, { target: targetOf(id), seenVersion: version, actor })
    await deleteAnnouncement(tx, id)
    await recordAction(tx, ctx, actor, { target: targetOf(id), outcome: 'done', before: fieldsOf(known), after: null })
    return ok(undefined)
  })
  if (done.ok) await announcements.reload()
  return done
}

function targetOf(id: string): string {
  return `announcement/${id}`
}

function fieldsOf({ version, tone, link, from, until, texts }: SiteAnnouncement): object {
  return { version, tone, link, from: toIso(from), until: toIso(until), ...byLanguage(texts) }
}

function writtenOnly(texts: SiteAnnouncement['texts']): Record<string, string> {
  const cleaned = Object.entries(texts).map(([language, text]) => [language, sanitizeLine(text)] as const)
  return Object.fromEntries(cleaned.filter(([, text]) => text !== ''))
}
