import { isSupportedCountry } from 'libphonenumber-js/min'
import { isAccessCode, makeAccessCode, readAccessCode } from '#core/accounts/access-code.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import {
  type AccessCode,
  insertAccessCode,
  lockAccessCode,
  updateAccessCode,
} from '#server/users/access-codes/access-codes.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** The rules of an access code that staff enter. */
interface EnteredRules {
  readonly label: string
  readonly maxUses: number | null
  /** The time from which the code can be used. If null, from now on. */
  readonly from: Instant | null
  readonly until: Instant | null
  readonly countries: readonly string[]
}

interface Edit extends EnteredRules {
  readonly id: string
  readonly code: string
  readonly isOn: boolean
  readonly version: number
  readonly actor: Actor
}

type RulesRefusal = 'period_invalid' | 'country_unknown'
type SaveRefusal =
  | RulesRefusal
  | 'not_found'
  | 'changed_meanwhile'
  | 'access_code_form'
  | 'access_code_taken'
  | 'access_code_uses'

/**
 * Stores the rules of an access code. Version 0 creates it. The text of an existing code never changes, because users
 * may already have it.
 */
export async function saveAccessCode(
  ctx: Ctx,
  { actor, ...edit }: Edit,
): Promise<Result<{ version: number }, SaveRefusal>> {
  const rules = readRules(edit, ctx.now())
  if (!rules.ok) return rules
  const { id, isOn } = edit
  const target = `access_code/${id}`
  return await ctx.db.transaction().execute(async (tx) => {
    const known = await lockAccessCode(tx, id)
    if (known === null && edit.version !== 0) return refuse('not_found')
    if (known !== null && known.version !== edit.version)
      return staleWriteRefusal(tx, { target, seenVersion: edit.version, actor })
    const code = known?.code ?? readAccessCode(edit.code)
    if (known === null && !isAccessCode(code)) return refuse('access_code_form', { field: 'code' })
    const { maxUses } = rules.value
    if (known !== null && maxUses !== null && maxUses < known.used)
      return refuse('access_code_uses', { params: { used: known.used }, field: 'max_uses' })
    const saved = { ...rules.value, id, code, isOn, version: edit.version + 1 }
    if (known !== null) await updateAccessCode(tx, saved)
    else if (!(await insertAccessCode(tx, saved, { createdBy: actor.who, now: ctx.now() })))
      return refuse('access_code_taken', { field: 'code' })
    await recordAction(tx, ctx, actor, {
      target,
      outcome: 'done',
      before: known && fieldsOf(known),
      after: fieldsOf(saved),
    })
    return ok({ version: saved.version })
  })
}

/** Makes `count` random codes with the same rules. Each code can be used `maxUses` times. */
export async function makeAccessCodes(
  ctx: Ctx,
  { actor, count, ...entered }: EnteredRules & { readonly count: number; readonly actor: Actor },
): Promise<Result<{ codes: string[] }, RulesRefusal>> {
  const rules = readRules(entered, ctx.now())
  if (!rules.ok) return rules
  const codes: string[] = []
  await ctx.db.transaction().execute(async (tx) => {
    while (codes.length < count) {
      const code = {
        ...rules.value,
        id: ctx.newId(),
        code: makeAccessCode((bytes) => ctx.randomBytes(bytes)),
        isOn: true,
        version: 1,
      }
      if (await insertAccessCode(tx, code, { createdBy: actor.who, now: ctx.now() })) codes.push(code.code)
    }
    await recordAction(tx, ctx, actor, {
      target: 'access_codes',
      outcome: 'done',
      after: { count, ...fieldsOf({ ...rules.value, code: codes.join(' '), isOn: true, version: 1 }) },
    })
  })
  return ok({ codes })
}

function readRules(
  { from, until, label, maxUses, countries }: EnteredRules,
  now: Instant,
): Result<Omit<AccessCode, 'id' | 'code' | 'isOn' | 'version'>, RulesRefusal> {
  const begins = from ?? now
  if (until !== null && until <= begins) return refuse('period_invalid', { field: 'until' })
  if (!countries.every((code) => isSupportedCountry(code))) return refuse('country_unknown', { field: 'countries' })
  return ok({ label, maxUses, from: begins, until, countries: [...new Set(countries)].toSorted() })
}

function fieldsOf({ code, label, maxUses, from, until, countries, isOn, version }: Omit<AccessCode, 'id'>): object {
  return {
    version,
    code,
    label,
    max_uses: maxUses,
    from: toIso(from),
    until: until === null ? null : toIso(until),
    countries: countries.join(' '),
    is_on: isOn,
  }
}
