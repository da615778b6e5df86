import { isSafeLink } from '#core/content/safe-link.ts'
import { ok, type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import { sanitizeContentText } from '#server/site/content/sanitize-content.ts'
import {
  type ContentKind,
  isContentKey,
  lockContent,
  nextPlace,
  putContent,
} from '#server/site/content/content.queries.ts'
import { recordContent } from '#server/site/content/record-content.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Language } from '#server/platform/i18n/messages.ts'

export interface Publication {
  readonly kind: ContentKind
  readonly key: string
  readonly language: Language
  readonly title: string
  readonly text: string
  /** The name of the icon. An omitted field stays unchanged. */
  readonly icon?: string | undefined
  readonly link?: string | undefined
  readonly sort?: number | undefined
  readonly actor: Actor
}

/** Writes an entry in one language and shows it. Creates the entry, or replaces its text in that language only. */
export async function publishContent(
  ctx: Ctx,
  { kind, key, language, title, text, icon, link, sort, actor }: Publication,
): Promise<Result<{ isNew: boolean }, 'key_invalid' | 'link_unsafe'>> {
  if (!isContentKey(key)) return refuse('key_invalid')
  if (link !== undefined && link !== '' && !isSafeLink(link)) return refuse('link_unsafe')
  return ctx.db.transaction().execute(async (tx) => {
    const known = await lockContent(tx, kind, key)
    const now = ctx.now()
    const entry = {
      kind,
      key,
      icon: icon ?? known?.icon ?? '',
      link: link ?? known?.link ?? '',
      sort: sort ?? known?.sort ?? (await nextPlace(tx, kind)),
      isPublished: true,
      publishedAt: known?.publishedAt ?? now,
      // Converts pasted HTML to the site's own markup.
      texts: { ...known?.texts, [language]: sanitizeContentText({ title, text }) },
      version: (known?.version ?? 0) + 1,
    }
    await putContent(tx, entry, now)
    await recordContent(tx, ctx, actor, { before: known, after: entry })
    return ok({ isNew: known === null })
  })
}
