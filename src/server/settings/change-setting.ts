import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import { checkSetting, type Settings } from '#server/settings/site-settings.ts'

export type SettingRefusal = 'setting_unknown' | 'setting_invalid'

/** Stores a setting that its schema accepts; it is in force, in this process, when this answers. */
export async function changeSetting(
  ctx: Ctx,
  settings: Settings,
  { key, value, actor }: { readonly key: string; readonly value: unknown; readonly actor: Actor },
): Promise<Result<{ readonly before: unknown; readonly after: unknown }, SettingRefusal>> {
  const checked = checkSetting(key, value)
  if (!checked.ok) return refuse(checked.refusal, checked.why === undefined ? {} : { params: { why: checked.why } })
  const after = checked.value
  const before = await ctx.db.transaction().execute(async (tx) => {
    const stored = await tx.selectFrom('setting').select('value').where('key', '=', key).forUpdate().executeTakeFirst()
    const row = { value: JSON.stringify(after), updated_ms: ctx.now() }
    await tx
      .insertInto('setting')
      .values({ key, ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute()
    await recordAction(tx, ctx, actor, { target: key, outcome: 'done', before: stored?.value, after })
    return stored?.value
  })
  await settings.reload()
  ctx.announce({ kind: 'settings-changed' })
  return ok({ before, after })
}
