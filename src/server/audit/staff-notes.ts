import type { z } from 'zod'
import type { RemarksOut } from '#contract/back-office/money-queues.ts'
import { type Instant, instant, toIso } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { SubjectKind } from '#server/audit/dual-approval.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface StaffNote {
  readonly who: string
  readonly at: Instant
  readonly text: string
}

interface Subject {
  readonly kind: SubjectKind | 'ticket'
  readonly subject: string
}

/** Lists the notes of staff, oldest first. Notes are never shown to a user. */
export async function listStaffNotes(db: Db, { kind, subject }: Subject): Promise<StaffNote[]> {
  const rows = await db
    .selectFrom('staff_remark as r')
    .innerJoin('staff as s', 's.id', 'r.staff_id')
    .select(['s.name', 'r.at_ms', 'r.text'])
    .where('r.kind', '=', kind)
    .where('r.subject', '=', subject)
    .orderBy('r.at_ms')
    .orderBy('r.id')
    .limit(200)
    .execute()
  return rows.map(({ name, at_ms: at, text }) => ({ who: name, at: instant(at), text }))
}

/** Adds a note. Notes are never changed or deleted. */
export async function addRemark(
  ctx: Ctx,
  { kind, subject }: Subject,
  { text, staffId, actor }: { readonly text: string; readonly staffId: string; readonly actor: Actor },
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await tx
      .insertInto('staff_remark')
      .values({ kind, subject, id: ctx.newId(), staff_id: staffId, text, at_ms: ctx.now() })
      .execute()
    await recordAction(tx, ctx, actor, { target: subject, outcome: 'done', after: { remark: text } })
  })
}

export function toStaffNotesReply(remarks: readonly StaffNote[]): z.output<typeof RemarksOut> {
  return remarks.map(({ who, at, text }) => ({ who, at: toIso(at), text }))
}
