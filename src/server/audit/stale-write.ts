import { z } from 'zod'
import { type Refusal, refuse } from '#core/result.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { auditEntries } from '#server/audit/audit.queries.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Tx } from '#server/platform/database/tables.ts'

const Recorded = z.looseObject({ version: z.number() })

interface StaleEdit {
  /** The subject's name in the audit log. */
  readonly target: string
  readonly seenVersion: number
  /** The staff member whose edit is outdated. */
  readonly actor: Actor
}

/**
 * Refuses an edit of an outdated version, and names the staff members who changed it since and the fields that they
 * changed. It reads the audit log, so every versioned change must record `before` and `after` with their `version`
 * under the same `target`.
 */
export async function staleWriteRefusal(
  tx: Tx,
  { target, seenVersion, actor }: StaleEdit,
): Promise<Refusal<'changed_meanwhile'>> {
  const rows = await auditEntries(tx)
    .where('a.target', '=', target)
    .where('a.outcome', '=', 'done')
    .orderBy('a.at_ms', 'desc')
    .limit(20)
    .execute()
  const people = new Set<string>()
  const fields = new Set<string>()
  for (const { who, before, after } of rows) {
    const now = Recorded.safeParse(after).data
    if (now === undefined || now.version <= seenVersion) continue
    people.add(who)
    const was = new Map(Object.entries(Recorded.safeParse(before).data ?? {}))
    for (const [field, value] of Object.entries(now)) {
      if (field !== 'version' && JSON.stringify(was.get(field)) !== JSON.stringify(value)) fields.add(field)
    }
  }
  return changedMeanwhile({ people, fields, actor })
}

interface Change {
  /** The staff members who made the changes. Empty when the log does not name them. */
  readonly people: ReadonlySet<string>
  /** The names of the changed fields. Empty when the log does not list them. */
  readonly fields: ReadonlySet<string>
  readonly actor: Actor
}

/** Builds the refusal of an outdated edit. Names the staff members and fields as far as they are known. */
export function changedMeanwhile({ people, fields, actor }: Change): Refusal<'changed_meanwhile'> {
  const others = [...people].filter((who) => who !== actor.who)
  const by = others.length > 0 ? 'by' : people.size > 0 ? 'yourself' : ''
  const variant = [by, fields.size > 0 ? 'fields' : ''].filter((part) => part !== '').join('_')
  return refuse('changed_meanwhile', {
    params: {
      ...(variant !== '' && { variant }),
      who: others.join(', '),
      fields: [...fields].map(fieldLabel).join(', '),
    },
  })
}
