/** "2026-11-21T10:00" of an ISO time, as a field for date and time has it; the back office works in UTC. */
export function toUtcField(iso: string): string {
  return iso.slice(0, 16)
}

/** The ISO time of such a field; null while it is empty. */
export function fromUtcField(value: string): string | null {
  return value === '' ? null : new Date(`${value}Z`).toISOString()
}
