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
  readonly max_uses: number | null
  readonly from: string | null
  readonly until: string | null
  readonly countries: readonly string[]
}

function rulesOf({ label, max_uses: maxUses, from, until, countries }: TypedRules) {
  return { label, maxUses, from: readTime(from), until: readTime(until), countries }
}

function readTime(iso: string | null): Instant | null {
  return iso === null ? null : instant(Date.parse(iso))
}

function toRow(code: ListedCode, now: Instant): AccessCodeRow {
  return {
    id: code.id,
    code: code.code,
    label: code.label,
    state: accessCodeState(code, code.used, now),
    uses: code.used,
    max_uses: code.maxUses,
    from: toIso(code.from),
    until: code.until === null ? null : toIso(code.until),
    countries: code.countries.join(' '),
    deposited: moneyNumber(code.deposited),
    created_by: code.createdBy,
    is_on: code.isOn,
    version: code.version,
  }
}
