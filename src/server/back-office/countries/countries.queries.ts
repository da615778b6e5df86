import type { Db } from '#server/platform/database/tables.ts'

/** Counts users by declared country, without bots. */
export async function countUsersByCountry(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('app_user')
    .select((of) => ['country_code', of.fn.countAll<bigint>().as('users')])
    .where('is_bot', '=', false)
    .groupBy('country_code')
    .execute()
  return new Map(rows.map(({ country_code: country, users }) => [country, Number(users)]))
}

/** The version of a setting. 0 until its first change. */
export async function findSettingVersion(db: Db, key: string): Promise<number> {
  const row = await db.selectFrom('setting').select('version').where('key', '=', key).executeTakeFirst()
  return row?.version ?? 0
}
