/** Whether the terms were agreed to. Clients send the state of the checkbox as a boolean, a number or a text. */
export function hasAgreed(value: boolean | number | string | null | undefined): boolean {
  if (typeof value === 'string') return ['1', 'true', 'on', 'yes'].includes(value.trim().toLowerCase())
  return value === true || value === 1
}
