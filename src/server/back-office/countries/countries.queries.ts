import type { Db } from '#server/platform/database/tables.ts'

/** Counts users by declared country, without bots and practice accounts. */
export async function countUsersByCountry(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('app_user')
    .select((of) => ['country_code', of.fn.countAll<bigint>().as('users')])
    .where('is_bot', '=', false)
    .where('practice_of', 'is', null)
    .groupBy('country_code')
    .execute()
  return new Map(rows.map(({ country_code: country, users }) => [country, Number(users)]))
}

/** Returns the version of a setting. The version is 0 until staff first change the setting. */
export async function findSettingVersion(db: Db, key: string): Promise<number> {
  const row = await db.selectFrom('setting').select('version').where('key', '=', key).executeTakeFirst()
  return row?.version ?? 0
}
