import { type Result, ok } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { AskRefusal } from '#server/audit/changes/ask-change.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type ChangedSetting, changeSettings, type SettingRefusal } from '#server/settings/change-settings.ts'
import type { Settings } from '#server/settings/site-settings.ts'

/**
 * Stores one setting without a check for concurrent changes. A setting that needs two approvers is refused, because the
 * caller is not one of them.
 */
export async function changeSetting(
  ctx: Ctx,
  settings: Settings,
  { key, value, actor }: { readonly key: string; readonly value: unknown; readonly actor: Actor },
): Promise<Result<ChangedSetting, SettingRefusal | 'changed_meanwhile' | AskRefusal>> {
  const done = await changeSettings(ctx, settings, { changes: [{ key, value }], actor, mode: 'live' })
  if (!done.ok) return done
  const [changed = { key, before: undefined, after: undefined }] = done.value.changed
  return ok(changed)
}
