import type { StaffRefusalCode } from '#contract/admin/staff-refusals.ts'
import { STAFF_REFUSALS } from '#contract/admin/staff-refusals.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import type { Refusal } from '#core/result.ts'
import { backOfficeTexts } from '#messages/back-office/english.ts'
import { fillText, findText } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { type FailureReply, refusalHeaders } from '#server/http/replies.ts'
import { refusalText } from '#server/messages.ts'

export type AnyRefusal = RefusalCode | StaffRefusalCode

/** A refusal as members of staff get it: in English, from the back office's own texts or the app's. */
export function staffRefusalReply(refusal: Refusal<AnyRefusal>): FailureReply {
  const { refusal: code, params = {} } = refusal
  const told: { readonly status: number; readonly field?: string } = isStaffRefusal(code)
    ? STAFF_REFUSALS[code]
    : REFUSALS[code]
  const text = isStaffRefusal(code) ? staffText(`refusal.${code}`, params) : refusalText(code, 'en', params)
  const field = refusal.field ?? told.field
  return {
    status: told.status,
    headers: refusalHeaders(told.status, params),
    body: { message: text, code, ...(field !== undefined && { errors: { [field]: [text] } }) },
  }
}

/** A text of the back office by its key. */
export function staffText(key: string, params: Readonly<Record<string, string | number>>): string {
  const english = LANGUAGES.en
  return fillText(findText(backOfficeTexts, key, params, english) ?? key, params, english)
}

function isStaffRefusal(code: AnyRefusal): code is StaffRefusalCode {
  return Object.hasOwn(STAFF_REFUSALS, code)
}
