import { toIso } from '#core/time/instant.ts'
import { LANGUAGES, readLanguage } from '#messages/languages.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { ContentEntry, ContentKind } from '#server/site/content/content.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

interface Change {
  readonly before: ContentEntry | null
  readonly after: ContentEntry | null
}

/** Returns the audit name of an entry. It includes the kind, because a page and a question may share a key. */
export function contentTarget(kind: ContentKind, key: string): string {
  return `${kind}/${key}`
}

/** Records a change of an entry in the audit log. The texts of each language are a separate field. */
export async function recordContent(tx: Tx, ctx: Ctx, actor: Actor, { before, after }: Change): Promise<void> {
  const entry = after ?? before
  if (entry === null) return
  await recordAction(tx, ctx, actor, {
    target: contentTarget(entry.kind, entry.key),
    outcome: 'done',
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
  })
}

function fieldsOf({ version, icon, link, sort, isPublished, publishedAt, texts }: ContentEntry): object {
  return {
    version,
    icon,
    link,
    place: sort,
    shown: isPublished,
    since: toIso(publishedAt),
    ...byLanguage(texts),
  }
}

/** Renames the keys from language codes to language names. */
export function byLanguage<T>(texts: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(texts).map(([code, words]) => {
      const known = readLanguage(code)
      return [`text (${known === null ? code : LANGUAGES[known].name})`, words]
    }),
  )
}
