import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { changedMeanwhile } from '#server/audit/stale-write.ts'
import { checkClosure, CLOSING_KEYS, type ClosureRefusal } from '#server/settings/withdrawal-closure.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { checkSetting, type Settings } from '#server/settings/site-settings.ts'

export type SettingRefusal = 'setting_unknown' | 'setting_invalid' | ClosureRefusal

export interface SettingChange {
  readonly key: string
  readonly value: unknown
  /** The version that the caller saw, 0 for none. When it is given and outdated, the change is refused. */
  readonly seenVersion?: number | undefined
}

export interface ChangedSetting {
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Stores all given settings or none, after their schemas accept them. They apply in this process when the call
 * resolves.
 * One call writes one audit entry.
 */
export async function changeSettings(
  ctx: Ctx,
  settings: Settings,
  { changes, actor }: { readonly changes: readonly SettingChange[]; readonly actor: Actor },
): Promise<Result<readonly ChangedSetting[], SettingRefusal | 'changed_meanwhile'>> {
  const wanted: { key: string; value: unknown; seenVersion: number | undefined }[] = []
  for (const { key, value, seenVersion } of changes) {
    const checked = checkSetting(key, value)
    if (!checked.ok) {
      const params = { name: key, why: checked.why ?? '' }
      return refuse(checked.refusal, { params, field: key })
    }
    wanted.push({ key, value: checked.value, seenVersion })
  }
  // Sorted, so that concurrent changes lock the rows in the same order and cannot deadlock.
  wanted.sort((a, b) => (a.key < b.key ? -1 : 1))
  const done = await ctx.db.transaction().execute(async (tx) => {
    const stored = await lockSettings(
      tx,
      wanted.map(({ key }) => key),
    )
    const stale = wanted.filter(
      ({ key, seenVersion }) => seenVersion !== undefined && seenVersion !== (stored.get(key)?.version ?? 0),
    )
    if (stale.length > 0)
      return refuseStaleSettings(
        tx,
        stale.map(({ key }) => key),
        actor,
      )
    const before = new Map([...(await lockSettings(tx, CLOSURE_KEYS))].map(([key, { value }]) => [key, value]))
    const after = new Map(wanted.map(({ key, value }) => [key, value]))
    const closure = await checkClosure(tx, ctx.now(), { before, after })
    if (closure !== null) return closure
    const changed: ChangedSetting[] = []
    for (const { key, value: after } of wanted) {
      const before = stored.get(key)?.value
      const row = { value: JSON.stringify(after), updated_ms: ctx.now(), version: (stored.get(key)?.version ?? 0) + 1 }
      await tx
        .insertInto('setting')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
        .execute()
      changed.push({ key, before, after })
    }
    await recordAction(tx, ctx, actor, recorded(changed))
    return ok(changed)
  })
  if (!done.ok) return done
  await settings.reload()
  ctx.publish({ kind: 'settings-changed' })
  return done
}

async function lockSettings(tx: Tx, keys: readonly string[]) {
  const rows = await tx
    .selectFrom('setting')
    .select(['key', 'value', 'version'])
    .where('key', 'in', keys)
    .orderBy('key')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.key, row]))
}

/** Formats the change for the audit log: one setting by its value, several by key. */
function recorded(changed: readonly ChangedSetting[]) {
  const target = changed.map(({ key }) => key).join(KEY_SEPARATOR)
  const [one] = changed
  if (changed.length === 1 && one) return { target, outcome: 'done', before: one.before, after: one.after } as const
  const before = Object.fromEntries(changed.map((setting) => [setting.key, setting.before]))
  const after = Object.fromEntries(changed.map((setting) => [setting.key, setting.after]))
  return { target, outcome: 'done', before, after } as const
}

const CLOSURE_KEYS = [...CLOSING_KEYS].toSorted()
const KEY_SEPARATOR = ', '
/** The audit names of setting changes, by the operator CLI and by the back office. */
const CHANGES = ['settings set', 'settings/save']

/**
 * Builds the refusal of an outdated change. It names who changed the settings, if the audit log knows. Changes by an
 * update have no author.
 */
async function refuseStaleSettings(
  tx: Tx,
  keys: readonly string[],
  actor: Actor,
): Promise<Refusal<'changed_meanwhile'>> {
  const rows = await tx
    .selectFrom('admin_action')
    .select(['who', 'target'])
    .where('what', 'in', CHANGES)
    .where('outcome', '=', 'done')
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const people = keys.flatMap((key) => rows.find(({ target }) => target.split(KEY_SEPARATOR).includes(key))?.who ?? [])
  return changedMeanwhile({ people: new Set(people), fields: new Set(keys), actor })
}
