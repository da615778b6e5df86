/** Whether the agree box was ticked, however the client says so. */
export function hasAgreed(value: boolean | number | string | null | undefined): boolean {
  if (typeof value === 'string') return ['1', 'true', 'on', 'yes'].includes(value.trim().toLowerCase())
  return value === true || value === 1
}
