import { isDeepStrictEqual } from 'node:util'
import { type FieldRefusal, type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { ApplyChange } from '#server/audit/changes/apply-changes.ts'
import { type RequestedChange, askChanges, type AskRefusal } from '#server/audit/changes/ask-change.ts'
import type { ChangeFields } from '#server/audit/changes/changes.queries.ts'
import { changedMeanwhile } from '#server/audit/stale-write.ts'
import { checkClosure, CLOSING_KEYS, type ClosureRefusal, insertClosure } from '#server/settings/withdrawal-closure.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { lockName } from '#server/platform/database/lock-name.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { guardedKind, type SettingsKind } from '#server/settings/guarded-settings.ts'
import { checkSetting, type Settings, storedSettings } from '#server/settings/site-settings.ts'

export type SettingRefusal = 'setting_unknown' | 'setting_invalid' | ClosureRefusal

export interface SettingChange {
  readonly key: string
  readonly value: unknown
  /** The version that the caller saw, 0 for none. A change with an outdated version is refused. */
  readonly seenVersion?: number | undefined
}

export interface ChangedSetting {
  readonly key: string
  readonly before: unknown
  readonly after: unknown
}

export interface ChangedSettings {
  /** The settings that apply now. */
  readonly changed: readonly ChangedSetting[]
  /** The changes that wait for a second approver. */
  readonly requested: readonly RequestedChange[]
}

/**
 * Stores all given settings or none, after their schemas accept them. They apply in this process when the call
 * resolves. Settings that protect users are only requested, and wait for a second approver. One call writes one audit
 * entry.
 */
export async function changeSettings(
  ctx: Ctx,
  settings: Settings,
  {
    changes,
    actor,
    mode,
    reason = '',
  }: {
    readonly changes: readonly SettingChange[]
    readonly actor: Actor
    readonly mode: 'demo' | 'live'
    readonly reason?: string
  },
): Promise<Result<ChangedSettings, SettingRefusal | 'changed_meanwhile' | AskRefusal>> {
  const read = checkAll(changes)
  if (!read.ok) return read
  const wanted = read.value
  // Sorted, so that the audit log lists the settings in a fixed order.
  wanted.sort((a, b) => (a.key < b.key ? -1 : 1))
  const done = await ctx.db.transaction().execute(async (tx) => {
    await takeTurn(tx)
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
    const values = Object.fromEntries(wanted.map(({ key, value }) => [key, value]))
    const closing = new Map([...(await lockSettings(tx, CLOSURE_KEYS))].map(([key, { value }]) => [key, value]))
    const closure = await checkClosure(tx, ctx.now(), { before: closing, after: new Map(Object.entries(values)) })
    if (!closure.ok) return closure
    const inForce = await storedSettings(tx)
    const guarded = (await hasAnyUser(tx)) ? guardedSettings(inForce, values) : new Map<SettingsKind, ChangeFields>()
    const requested = await requestGuarded(ctx, tx, { mode, actor, reason, inForce, guarded })
    if (!requested.ok) return requested
    if (closure.value !== null) await insertClosure(tx, closure.value)
    const waits = new Set([...guarded.values()].flatMap((after) => Object.keys(after)))
    const now = wanted.filter(({ key }) => !waits.has(key))
    const changed = await storeSettings(tx, ctx, now, stored)
    const lines = { ...recorded(changed), ...(reason !== '' && { reason }) }
    if (requested.value.length === 0) await recordAction(tx, ctx, actor, lines)
    else {
      const target = [lines.target, ...waits].filter((part) => part !== '').join(KEY_SEPARATOR)
      await recordAction(tx, ctx, actor, { ...lines, target, after: { ...values, waits: [...waits] } })
    }
    return ok({ changed, requested: requested.value })
  })
  if (!done.ok) return done
  await settings.reload()
  ctx.publish({ kind: 'settings-changed' })
  return done
}

interface WantedSetting {
  readonly key: string
  readonly value: unknown
  readonly seenVersion: number | undefined
}

/** Reads every value. The refusal names each wrong value, so that a form can mark all of them at once. */
function checkAll(changes: readonly SettingChange[]): Result<WantedSetting[], 'setting_unknown' | 'setting_invalid'> {
  const wanted: WantedSetting[] = []
  const wrong: FieldRefusal[] = []
  for (const { key, value, seenVersion } of changes) {
    const checked = checkSetting(key, value)
    const params = { name: key, why: checked.ok ? '' : (checked.why ?? '') }
    if (checked.ok) wanted.push({ key, value: checked.value, seenVersion })
    else if (checked.refusal === 'setting_unknown') return refuse(checked.refusal, { params, field: key })
    else wrong.push({ field: key, params })
  }
  const [first, ...others] = wrong
  return first === undefined ? ok(wanted) : refuse('setting_invalid', { ...first, others })
}

/** The subjects of waiting changes. Each subject has one change at a time. */
const SUBJECTS: Readonly<Record<SettingsKind, string>> = { facts: 'site', limits: 'limits', countries: 'countries' }

/** Groups the settings that must wait by the kind of their change. */
function guardedSettings(inForce: ChangeFields, values: ChangeFields): Map<SettingsKind, ChangeFields> {
  const guarded = new Map<SettingsKind, ChangeFields>()
  for (const [key, value] of Object.entries(values)) {
    const kind = guardedKind(key, inForce, values)
    if (kind !== null) guarded.set(kind, { ...guarded.get(kind), [key]: value })
  }
  return guarded
}

/** Requests the settings that must wait, one change for each kind. */
async function requestGuarded(
  ctx: Ctx,
  tx: Tx,
  {
    mode,
    actor,
    reason,
    inForce,
    guarded,
  }: {
    readonly mode: 'demo' | 'live'
    readonly actor: Actor
    readonly reason: string
    readonly inForce: ChangeFields
    readonly guarded: ReadonlyMap<SettingsKind, ChangeFields>
  },
): Promise<Result<readonly RequestedChange[], AskRefusal>> {
  if (guarded.size === 0) return ok([])
  const changes = [...guarded].map(([kind, after]) => {
    const before = Object.fromEntries(Object.keys(after).map((key) => [key, inForce[key]]))
    return { kind, subject: SUBJECTS[kind], before, after, reason }
  })
  return askChanges(ctx, tx, { mode, actor, changes })
}

/** Before the first user no one relies on a setting, so one staff member can set up an installation alone. */
async function hasAnyUser(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function storeSettings(
  tx: Tx,
  ctx: Pick<Ctx, 'now'>,
  wanted: readonly { readonly key: string; readonly value: unknown }[],
  stored: Awaited<ReturnType<typeof lockSettings>>,
): Promise<ChangedSetting[]> {
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
  return changed
}

/**
 * Applies settings on which two approvers agreed. The change fails if a setting differs from what the approvers saw,
 * because a stricter value that was set after the request must not be undone.
 */
export function createApplySettings(ctx: Ctx, settings: Settings): ApplyChange {
  return async (tx, { before: asked, after: values }) => {
    const wanted = Object.entries(values).map(([key, value]) => ({ key, value }))
    wanted.sort((a, b) => (a.key < b.key ? -1 : 1))
    const keys = wanted.map(({ key }) => key)
    await takeTurn(tx)
    const inForce = await storedSettings(tx)
    if (keys.some((key) => !isDeepStrictEqual(inForce[key], asked[key]))) return refuse('changed_meanwhile')
    const changed = await storeSettings(tx, ctx, wanted, await lockSettings(tx, keys))
    const { target, before, after } = recorded(changed)
    const afterCommit = async () => {
      await settings.reload()
      ctx.publish({ kind: 'settings-changed' })
    }
    return ok({ target, before, after, afterCommit })
  }
}

/**
 * Makes changes of settings wait for each other until this transaction ends. Locks of rows do not suffice: a setting
 * that was never stored has no row, and two changes that lock some rows each can wait for each other forever.
 */
async function takeTurn(tx: Tx): Promise<void> {
  await lockName(tx, 'settings')
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
/** The audit names of setting changes, by the operator CLI and by the back office, also of earlier releases. */
const CHANGES = ['settings set', 'settings/save', 'countries/save', 'countries.save', 'changes/apply']

/**
 * Builds the refusal of an outdated change. It names who changed the settings, if the audit log knows. Changes by a
 * program update have no author.
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
