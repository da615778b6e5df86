import type { Db } from '#server/platform/database/tables.ts'

/**
 * Reads the names of gateways and methods for subjects such as `gateway 5`. The result maps each subject to its name.
 */
export async function readGatewayNames(db: Db, subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(subjects.flatMap((subject) => /^gateway (\d{1,9})$/.exec(subject)?.[1] ?? []).map(Number))
  if (ids.size === 0) return new Map()
  const rows = await db
    .selectFrom('gateway')
    .select(['id', 'name'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [`gateway ${id}`, name]))
}
