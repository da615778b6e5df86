/** Converts an ISO time to the value of a date and time field, "2026-11-21T10:00". The back office works in UTC. */
export function toUtcField(iso: string): string {
  return iso.slice(0, 16)
}

/** Converts the value of a date and time field to an ISO time; null while the field is empty. */
export function fromUtcField(value: string): string | null {
  return value === '' ? null : new Date(`${value}Z`).toISOString()
}
