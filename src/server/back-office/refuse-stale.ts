import { z } from 'zod'
import { type Refusal, refuse } from '#core/result.ts'
import type { Tx } from '#server/db/tables.ts'

const Recorded = z.looseObject({ version: z.number() })

/**
 * Somebody saved first: the refusal that says who, and which fields are different now. Call it when the version that was
 * edited is not the one that is stored. It reads the audit log, so every versioned change records `before` and `after`
 * with their `version` under the same `target`.
 */
export async function refuseStale(
  tx: Tx,
  { target, seenVersion }: { readonly target: string; readonly seenVersion: number },
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
  return refuse('changed_meanwhile', {
    params: { who: [...people].join(', ') || '?', fields: [...fields].join(', ') || '?' },
  })
}
