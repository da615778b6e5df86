import { StaffFailure } from '#back-office/api/call-staff.ts'

/** Returns the server's message for one field. */
export function fieldError(failure: unknown, field: string): string | undefined {
  return failure instanceof StaffFailure ? failure.errors[field]?.[0] : undefined
}

/** Whether a failure concerns one of the form's fields, which then shows the message itself. */
export function isAboutField(failure: unknown, fields: readonly string[]): boolean {
  return failure instanceof StaffFailure && fields.some((field) => failure.errors[field] !== undefined)
}
