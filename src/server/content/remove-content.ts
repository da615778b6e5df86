import { ok, type Result, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { type ContentKind, deleteContent, lockContent, putContent } from '#server/content/content.queries.ts'
import { SHIPPED_CONTENT } from '#server/content/shipped-content.ts'
import type { Ctx } from '#server/context.ts'

/** Takes an entry away. What we ship is hidden, since the next start would add what is missing; the rest is deleted. */
export async function removeContent(
  ctx: Ctx,
  { kind, key, actor }: { readonly kind: ContentKind; readonly key: string; readonly actor: Actor },
): Promise<Result<undefined, 'content_unknown'>> {
  return ctx.db.transaction().execute(async (tx) => {
    const known = await lockContent(tx, kind, key)
    if (!known) return refuse('content_unknown')
    const isShipped = SHIPPED_CONTENT.some((entry) => entry.kind === kind && entry.key === key)
    if (isShipped) await putContent(tx, { ...known, isPublished: false }, ctx.now())
    else await deleteContent(tx, kind, key)
    await recordAction(tx, ctx, actor, { target: key, outcome: 'done', before: known, after: null })
    return ok(undefined)
  })
}
