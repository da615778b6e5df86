/** Refusals that only members of staff can run into. Their texts are `refusal.<code>` of the back office's messages. */
export const STAFF_REFUSALS = {
  not_allowed: { status: 403 },
  staff_sign_in_needed: { status: 401 },
  staff_code_wrong: { status: 422, field: 'code' },
  staff_ticket_over: { status: 422 },
  demo_staff_local_only: { status: 422 },
  staff_name_taken: { status: 422, field: 'name' },
  not_yourself: { status: 422 },
  cursor_invalid: { status: 422 },
  changed_meanwhile: { status: 409 },
  content_changed: { status: 409 },
  second_person_needed: { status: 422 },
  already_decided: { status: 409 },
  words_needed: { status: 422, field: 'words' },
  remark_needed: { status: 422, field: 'text' },
  reason_needed: { status: 422, field: 'reason' },
} as const satisfies Record<string, { status: number; field?: string }>

export type StaffRefusalCode = keyof typeof STAFF_REFUSALS
