import { type Result, ok, refuse } from '#core/result.ts'
import { LANGUAGE_CODES, LANGUAGES } from '#messages/languages.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import { offeredLanguages, type SettingKey, type Settings } from '#server/settings/site-settings.ts'

const KEY: SettingKey = 'languages_offered'

interface Offer {
  /** The offered languages when the edit began. */
  readonly seen: readonly Language[]
  readonly offered: readonly Language[]
  readonly actor: Actor
}

/** Sets which languages visitors can choose. The site's default language is always offered. */
export async function offerLanguages(
  ctx: Ctx,
  settings: Settings,
  { seen, offered, actor }: Offer,
): Promise<Result<undefined, 'changed_meanwhile' | 'own_language_needed'>> {
  const { defaultLanguage } = settings.current
  if (!offered.includes(defaultLanguage)) {
    return refuse('own_language_needed', { params: { language: LANGUAGES[defaultLanguage].name } })
  }
  const after = LANGUAGE_CODES.filter((code) => offered.includes(code))
  const done = await ctx.db.transaction().execute(async (tx) => {
    const before = offeredLanguages(await lockOffered(tx, ctx), defaultLanguage)
    if (before.join() !== LANGUAGE_CODES.filter((code) => seen.includes(code)).join()) {
      return refuse('changed_meanwhile', { params: { who: await lastToSave(tx), fields: 'languages' } })
    }
    const row = { value: JSON.stringify(after), updated_ms: ctx.now() }
    await tx.updateTable('setting').set(row).where('key', '=', KEY).execute()
    await recordAction(tx, ctx, actor, { target: KEY, outcome: 'done', before, after })
    return ok(undefined)
  })
  await settings.reload()
  if (done.ok) ctx.publish({ kind: 'settings-changed' })
  return done
}

/**
 * Reads and locks the stored value. Creates the row when it is missing, so that concurrent changes wait for each other.
 */
async function lockOffered(tx: Tx, ctx: Ctx): Promise<unknown> {
  await tx
    .insertInto('setting')
    .values({ key: KEY, value: '[]', updated_ms: ctx.now() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  const { value } = await tx
    .selectFrom('setting')
    .select('value')
    .where('key', '=', KEY)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return value
}

async function lastToSave(tx: Tx): Promise<string> {
  const row = await tx
    .selectFrom('admin_action')
    .select('who')
    .where('target', '=', KEY)
    .where('outcome', '=', 'done')
    .orderBy('at_ms', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.who ?? '?'
}
