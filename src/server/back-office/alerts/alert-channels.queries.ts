import { sql } from 'kysely'
import { z } from 'zod'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'
import { alertChannelPlace } from '#server/platform/encryption/sealed-details.ts'
import { type Sealing, sealAgain, sealedAs, type Unsealed } from '#server/platform/encryption/resealing.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** The address of a webhook, and the secret that signs its messages. */
export interface Webhook {
  readonly url: string
  readonly secret: string
}
const Webhook = z.object({ url: z.string(), secret: z.string() })

interface StoredChannel {
  readonly id: string
  readonly host: string
  readonly hint: string
  readonly createdAt: Instant
}

/** Stores a webhook of a staff member, encrypted. */
export async function insertChannel(
  tx: Tx,
  vault: Vault,
  { id, staffId, url, secret, now }: Webhook & { readonly id: string; readonly staffId: string; readonly now: Instant },
): Promise<void> {
  const sealed = vault.encrypt(JSON.stringify({ url, secret }), alertChannelPlace(id))
  const shown = { host: new URL(url).host, hint: secret.slice(-4) }
  await tx
    .insertInto('alert_channel')
    .values({ id, staff_id: staffId, sealed, ...shown, created_ms: now })
    .execute()
}

export async function listChannels(db: Db | Tx, staffId: string): Promise<StoredChannel[]> {
  const rows = await db
    .selectFrom('alert_channel')
    .select(['id', 'host', 'hint', 'created_ms'])
    .where('staff_id', '=', staffId)
    .orderBy('created_ms')
    .orderBy('id')
    .execute()
  return rows.map(({ id, host, hint, created_ms: created }) => ({ id, host, hint, createdAt: instant(created) }))
}

/** Returns the webhook of a staff member, or null when they have none with this id. */
export async function findWebhook(db: Db, vault: Vault, { id, staffId }: { id: string; staffId: string }) {
  const row = await db
    .selectFrom('alert_channel')
    .select(['sealed', 'host'])
    .where('id', '=', id)
    .where('staff_id', '=', staffId)
    .executeTakeFirst()
  return row ? { ...openWebhook(vault, id, row.sealed), host: row.host } : null
}

export function openWebhook(vault: Vault, id: string, sealed: string): Webhook {
  return Webhook.parse(JSON.parse(vault.decrypt(sealed, alertChannelPlace(id))))
}

/** Removes a webhook of a staff member, with the messages that were due. Returns its host. */
export async function deleteChannel(tx: Tx, { id, staffId }: { id: string; staffId: string }): Promise<string | null> {
  const row = await tx
    .deleteFrom('alert_channel')
    .where('id', '=', id)
    .where('staff_id', '=', staffId)
    .returning('host')
    .executeTakeFirst()
  return row?.host ?? null
}

/** Returns whether a staff member gets mails about alerts, and at which address. */
export async function findMail(db: Db | Tx, staffId: string): Promise<{ address: string; isOn: boolean }> {
  const row = await db
    .selectFrom('staff as s')
    .leftJoin('alert_mail as m', 'm.staff_id', 's.id')
    .select(['s.mail', 'm.is_on'])
    .where('s.id', '=', staffId)
    .executeTakeFirstOrThrow()
  return { address: row.mail, isOn: row.is_on ?? true }
}

export async function storeMail(tx: Tx, staffId: string, isOn: boolean): Promise<void> {
  await tx
    .insertInto('alert_mail')
    .values({ staff_id: staffId, is_on: isOn })
    .onConflict((conflict) => conflict.column('staff_id').doUpdateSet({ is_on: isOn }))
    .execute()
}

/** Encrypts all webhooks with the newest key. Returns the number of rows. */
export async function resealChannels(ctx: Sealing, which: Unsealed): Promise<number> {
  const rows = await ctx.db
    .selectFrom('alert_channel')
    .select(['id', 'sealed'])
    .where('sealed', 'not like', sealedAs(ctx, which))
    .execute()
  for (const { id, sealed } of rows) {
    await ctx.db
      .updateTable('alert_channel')
      .set({ sealed: sealAgain(ctx, sealed, alertChannelPlace(id)) })
      .where('id', '=', id)
      .where('sealed', '=', sealed)
      .execute()
  }
  return rows.length
}

/** Adds the messages about an alert to all channels of staff with one of these roles. Returns how many. */
export async function addDeliveries(
  tx: Tx,
  { alertId, roles, now }: { readonly alertId: string; readonly roles: readonly string[]; readonly now: Instant },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    with told as (
      select id, mail from staff where role = any(${[...roles]}) and not is_blocked
    )
    insert into alert_delivery (id, alert_id, staff_id, channel_id, created_ms, next_ms)
    select gen_random_uuid(), ${alertId}::uuid, to_channel.staff_id, to_channel.channel_id, ${now}::int8, ${now}::int8
    from (
      select t.id as staff_id, null::uuid as channel_id from told t left join alert_mail m on m.staff_id = t.id
        where t.mail <> '' and coalesce(m.is_on, true)
      union all
      select c.staff_id, c.id from told t join alert_channel c on c.staff_id = t.id
    ) to_channel
    returning id`.execute(tx)
  return rows.length
}

/** 10 messages are sent at the same time. The rest follow one second later. */
const DELIVERIES_PER_ROUND = 10
/** Pauses before the next try, in ms, by the number of earlier tries. After the last try the message is given up. */
const PAUSES_MS = sql`array[30000, 120000, 600000, 3600000]`

export interface DueDelivery {
  readonly id: string
  readonly alertId: string
  readonly mail: string
  readonly channelId: string | null
  readonly sealed: string | null
  readonly isLastTry: boolean
}

/** Claims messages that are due, for staff who may still log in. No other server claims them before their next try. */
export async function claimDeliveries(db: Db, now: Instant): Promise<DueDelivery[]> {
  const { rows } = await sql<{
    id: string
    alert_id: string
    mail: string
    channel_id: string | null
    sealed: string | null
    is_last: boolean
  }>`
    with claimed as (
      update alert_delivery d set tries = d.tries + 1, next_ms = ${now}::int8 + (${PAUSES_MS})[d.tries + 1]
      from (
        select id from alert_delivery where next_ms <= ${now}
        order by next_ms limit ${DELIVERIES_PER_ROUND} for update skip locked
      ) due
      where d.id = due.id
      returning d.id, d.alert_id, d.staff_id, d.channel_id, d.next_ms
    )
    select c.id, c.alert_id, s.mail, c.channel_id, h.sealed, c.next_ms is null as is_last
    from claimed c join staff s on s.id = c.staff_id and not s.is_blocked
    left join alert_channel h on h.id = c.channel_id`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    alertId: row.alert_id,
    mail: row.mail,
    channelId: row.channel_id,
    sealed: row.sealed,
    isLastTry: row.is_last,
  }))
}

/** Notes how a try ended: sent, or failed with a reason. */
export async function noteDelivery(
  db: Db,
  id: string,
  end: { readonly doneAt: Instant } | { readonly failure: string },
) {
  await db
    .updateTable('alert_delivery')
    .set('doneAt' in end ? { done_ms: end.doneAt, next_ms: null, failure: '' } : { failure: end.failure })
    .where('id', '=', id)
    .execute()
}

/** Lists the messages about an alert, the newest first. */
export async function listDeliveries(db: Db, alertId: string) {
  return await db
    .selectFrom('alert_delivery as d')
    .innerJoin('staff as s', 's.id', 'd.staff_id')
    .leftJoin('alert_channel as c', 'c.id', 'd.channel_id')
    .select(['d.id', 's.name', 'c.host', 'd.created_ms', 'd.tries', 'd.next_ms', 'd.done_ms', 'd.failure'])
    .where('d.alert_id', '=', alertId)
    .orderBy('d.created_ms', 'desc')
    .orderBy('d.id')
    .limit(100)
    .execute()
}
