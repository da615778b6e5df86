/** The loggable part of a delivery error. Error texts of mail servers contain addresses. */
export function deliveryFailure(error: unknown): { reason: string; code?: string } {
  if (!(error instanceof Error)) return { reason: 'unknown' }
  const reason = error.name === 'Error' ? error.constructor.name : error.name
  return 'code' in error && typeof error.code === 'string' ? { reason, code: error.code } : { reason }
}
