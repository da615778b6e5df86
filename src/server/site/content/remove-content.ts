import { type Result, ok, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { type ContentKind, deleteContent, lockContent, putContent } from '#server/site/content/content.queries.ts'
import { contentTarget, recordContent } from '#server/site/content/record-content.ts'
import { isShipped } from '#server/site/content/shipped-content.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface Removal {
  readonly kind: ContentKind
  readonly key: string
  /** The version that the caller saw. If omitted, any version is removed. */
  readonly version?: number
  readonly actor: Actor
}

/** Removes an entry. A shipped entry is hidden, because the next start would add it again. Other entries are deleted. */
export async function removeContent(
  ctx: Ctx,
  { kind, key, version, actor }: Removal,
): Promise<Result<undefined, 'content_unknown' | 'changed_meanwhile'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const known = await lockContent(tx, kind, key)
    if (!known) return refuse('content_unknown')
    if (version !== undefined && version !== known.version) {
      return staleWriteRefusal(tx, { target: contentTarget(kind, key), seenVersion: version, actor })
    }
    const hidden = isShipped(kind, key) ? { ...known, isPublished: false, version: known.version + 1 } : null
    if (hidden) await putContent(tx, hidden, ctx.now())
    else await deleteContent(tx, kind, key)
    await recordContent(tx, ctx, actor, { before: known, after: hidden })
    return ok(undefined)
  })
}
