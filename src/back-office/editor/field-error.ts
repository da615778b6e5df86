import { StaffFailure } from '#back-office/api/call-staff.ts'

/** What the server says of one field. */
export function fieldError(failure: unknown, field: string): string | undefined {
  return failure instanceof StaffFailure ? failure.errors[field]?.[0] : undefined
}

/** Whether a failure is about one of the fields of a form, which then says it itself. */
export function isAboutField(failure: unknown, fields: readonly string[]): boolean {
  return failure instanceof StaffFailure && fields.some((field) => failure.errors[field] !== undefined)
}
