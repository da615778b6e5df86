import { makeEntry } from '#core/register/entry.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { addRegisterEntry } from '#server/register/add-entry.queries.ts'

/** A decision of staff as the register publishes it. It names no staff member. */
export interface Act {
  readonly what: string
  /** The subject of the decision: the public name of the changed object, or a hash of the name. */
  readonly of: string
  readonly requestedAt: number
  readonly appliesAt: number
  /** How many staff members agreed. */
  readonly people: 1 | 2
  readonly reason?: string
  /** The marks of the two approvals, e.g. `same_place` when both came from one address within an hour. */
  readonly mark?: string
  /** A hash of the content of the decision, with which the operator can prove the content later. */
  readonly content?: string
}

/** Adds an act to the register, in the transaction of the change. */
export async function publishAct(ctx: Pick<Ctx, 'newId' | 'now'>, tx: Tx, act: Act): Promise<void> {
  const { what, of, requestedAt, appliesAt, people, reason = '', mark = '', content } = act
  const entry = makeEntry('act', {
    what,
    of,
    asked_ms: requestedAt,
    applies_ms: appliesAt,
    people,
    reason,
    ...(mark !== '' && { mark }),
    ...(content !== undefined && { content }),
  })
  await addRegisterEntry(ctx, tx, entry)
}
