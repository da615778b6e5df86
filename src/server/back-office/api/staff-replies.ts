import type { StaffRefusalCode } from '#contract/back-office/staff-refusals.ts'
import { STAFF_REFUSALS } from '#contract/back-office/staff-refusals.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import type { Refusal, RefusalParams } from '#core/result.ts'
import { backOfficeTexts } from '#messages/back-office/english.ts'
import { fieldLabel } from '#messages/back-office/field-label.ts'
import { problemText } from '#server/platform/i18n/problem-text.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'
import type { InputWords } from '#server/platform/http/read-input.ts'
import { type FailureReply, refusalHeaders } from '#server/platform/http/replies.ts'
import { refusalText } from '#server/platform/i18n/messages.ts'

export type AnyRefusal = RefusalCode | StaffRefusalCode

/**
 * Converts a refusal to a reply for staff: in English, with the text of the back office or, if there is none, the text
 * for users.
 */
export function staffRefusalReply(refusal: Refusal<AnyRefusal>): FailureReply {
  const { refusal: code, params = {} } = refusal
  const { status, field: usualField }: { readonly status: number; readonly field?: string } = isStaffRefusal(code)
    ? STAFF_REFUSALS[code]
    : REFUSALS[code]
  const shownText = shownFor(code, params)
  const field = refusal.field ?? usualField
  const others = (refusal.others ?? []).map((other): [string, string[]] => [
    other.field,
    [shownFor(code, other.params)],
  ])
  return {
    status,
    headers: refusalHeaders(status, params),
    body: {
      message: shownText,
      code,
      ...(field !== undefined && { errors: { ...Object.fromEntries(others), [field]: [shownText] } }),
    },
  }
}

function shownFor(code: AnyRefusal, params: RefusalParams): string {
  const text = isStaffRefusal(code) ? staffText(`refusal.${code}`, params) : refusalText(code, 'en', params)
  return conflictText(code, params) ?? text
}

/**
 * Returns the text for a refusal that a concurrent decision or edit caused. `variant` selects one of several texts.
 * Other refusals have no such text.
 */
function conflictText(code: string, params: RefusalParams): string | undefined {
  const { variant } = params
  const name = variant === undefined ? code : `${code}_${variant}`
  return Object.hasOwn(backOfficeTexts.conflict, name) ? staffText(`conflict.${name}`, params) : undefined
}

function isStaffRefusal(code: AnyRefusal): code is StaffRefusalCode {
  return Object.hasOwn(STAFF_REFUSALS, code)
}

/** The texts for an invalid request. They name fields by their labels. */
export const STAFF_WORDS: InputWords = {
  required: (field) => staffText('problem.required', { name: fieldLabel(field) }),
  invalid: (field, issue) =>
    issue === null ? staffText('problem.form', { name: fieldLabel(field) }) : problemText(field, issue),
  refusal: (code, field) =>
    code === 'amount_invalid' && field !== ''
      ? staffText('problem.amount', { name: fieldLabel(field) })
      : (conflictText(code, {}) ?? refusalText(code, 'en')),
  // Nothing exists at a path with a malformed id, so the refusal is `not_found`.
  unknownAddress: 'not_found',
}
