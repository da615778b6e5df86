import { errorCode } from '#server/platform/runtime/startup-error.ts'

/** Whether a rule of the database refused a statement or a transaction. */
export function isCheckViolation(error: unknown): boolean {
  return errorCode(error) === '23514'
}
