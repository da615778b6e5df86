import { z } from 'zod'
import { type Refusal, refuse } from '#core/result.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Tx } from '#server/platform/database/tables.ts'

const Recorded = z.looseObject({ version: z.number() })

interface StaleEdit {
  /** The subject as the audit log has it. */
  readonly target: string
  readonly seenVersion: number
  /** The staff member whose edit comes too late. */
  readonly actor: Actor
}

/**
 * Refuses an edit of a version that is not the stored one, and says who changed which fields since. It reads the audit
 * log, so every versioned change records `before` and `after` with their `version` under the same `target`.
 */
export async function refuseStale(
  tx: Tx,
  { target, seenVersion, actor }: StaleEdit,
): Promise<Refusal<'changed_meanwhile'>> {
  const rows = await tx
    .selectFrom('admin_action')
    .select(['who', 'before', 'after'])
    .where('target', '=', target)
    .where('outcome', '=', 'done')
    .orderBy('at_ms', 'desc')
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
  /** Who made it; empty when the log does not say. */
  readonly people: ReadonlySet<string>
  /** Names of the fields that differ now; empty when the log does not say. */
  readonly fields: ReadonlySet<string>
  readonly actor: Actor
}

/** The refusal of an edit that came too late, in words that name the people and the fields as far as they are known. */
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
