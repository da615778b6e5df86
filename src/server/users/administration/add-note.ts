import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { hasUser } from '#server/users/accounts/users.queries.ts'

/** Adds a staff note about a user. A note is never changed. A later note states what has changed. */
export async function addNote(
  ctx: Ctx,
  { userId, staffId, text, actor }: { userId: string; staffId: string; text: string; actor: Actor },
): Promise<Result<{ readonly id: string }, 'not_found' | 'note_empty'>> {
  if (text === '') return refuse('note_empty')
  if (!(await hasUser(ctx.db, userId))) return refuse('not_found')
  const id = ctx.newId()
  await ctx.db.transaction().execute(async (tx) => {
    const note = { user_id: userId, id, staff_id: staffId, text, written_ms: ctx.now() }
    await tx.insertInto('user_note').values(note).execute()
    await recordAction(tx, ctx, actor, { target: userId, outcome: 'done', after: { note: text } })
  })
  return ok({ id })
}
