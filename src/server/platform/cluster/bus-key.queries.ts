import type { Ctx } from '#server/platform/context/context.ts'

const BYTES = 32

/**
 * Returns the secret with which the servers of this database authenticate their messages. The first server creates the
 * secret.
 */
export async function readBusKey({ db, randomBytes }: Pick<Ctx, 'db' | 'randomBytes'>): Promise<Uint8Array> {
  const read = () => db.selectFrom('bus_key').select('secret').where('id', '=', 1).executeTakeFirst()
  const known = await read()
  if (known !== undefined) return known.secret
  await db
    .insertInto('bus_key')
    .values({ id: 1, secret: randomBytes(BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const storedKey = await read()
  if (storedKey === undefined) throw new Error('the key of the bus is missing after it was written')
  return storedKey.secret
}
