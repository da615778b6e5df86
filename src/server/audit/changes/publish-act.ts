import { makeEntry } from '#core/register/entry.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { addRegisterEntry } from '#server/register/add-entry.queries.ts'

/** A public act of staff. It names no staff member. */
export interface Act {
  readonly what: string
  /** The public name of what is changed, or a hash of it. */
  readonly of: string
  readonly requestedAt: number
  readonly appliesAt: number
  /** How many people agreed. */
  readonly people: 1 | 2
  readonly reason?: string
  /** A mark of the two approvals, e.g. `same_place`. */
  readonly mark?: string
  /** A hash of the content, by which the content can be proved later. */
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
