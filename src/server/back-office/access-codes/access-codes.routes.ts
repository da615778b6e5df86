import type { AccessCodeRow } from '#contract/back-office/access-codes.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { accessCodeState } from '#core/accounts/access-code.ts'
import { moneyNumber } from '#core/money/money.ts'
import { type Instant, instant, toIso } from '#core/time/instant.ts'
import {
  accessCodeCursor,
  listAccessCodes,
  type ListedCode,
} from '#server/back-office/access-codes/access-codes.queries.ts'
import { makeAccessCodes, saveAccessCode } from '#server/users/access-codes/save-access-code.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Registers the calls for the access codes of sign-ups. */
export function accessCodesRoutes(register: RegisterStaff, registerList: RegisterStaffList, ctx: Ctx): void {
  registerList(staffCalls.staffAccessCodes, async ({ filters: { search, state }, after, limit }) => {
    const wanted = { search: search ?? null, isOn: state === undefined ? null : state === 'open' }
    const found = await listAccessCodes(ctx.db, wanted, { after, limit })
    return found.map((code) => ({ row: toRow(code, ctx.now()), cursor: accessCodeCursor(code) }))
  })

  register(staffCalls.staffSaveAccessCode, async ({ params: { id }, body, actor }) =>
    saveAccessCode(ctx, { ...rulesOf(body), id, code: body.code, isOn: body.is_on, version: body.version, actor }),
  )

  register(staffCalls.staffMakeAccessCodes, async ({ body, actor }) =>
    makeAccessCodes(ctx, { ...rulesOf(body), count: body.count, actor }),
  )
}

interface TypedRules {
  readonly label: string
  readonly most_uses: number | null
  readonly from: string | null
  readonly until: string | null
  readonly countries: readonly string[]
}

function rulesOf({ label, most_uses: mostUses, from, until, countries }: TypedRules) {
  const at = (text: string | null) => (text === null ? null : instant(Date.parse(text)))
  return { label, mostUses, from: at(from), until: at(until), countries }
}

function toRow(code: ListedCode, now: Instant): AccessCodeRow {
  return {
    id: code.id,
    code: code.code,
    label: code.label,
    state: accessCodeState(code, code.used, now),
    uses: code.used,
    most_uses: code.mostUses,
    from: toIso(code.from),
    until: code.until === null ? null : toIso(code.until),
    countries: code.countries.join(' '),
    deposited: moneyNumber(code.deposited),
    made_by: code.madeBy,
    is_on: code.isOn,
    version: code.version,
  }
}
