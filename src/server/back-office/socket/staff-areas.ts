import { areaOf, type StaffCall } from '#contract/back-office/staff-call.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { isAllowed, ROLES, type Role } from '#core/staff/permissions.ts'

const READS = Object.values<StaffCall>(staffCalls).filter(({ method }) => method === 'GET')

/** The areas that each role may read. A role receives no messages about other areas. */
const AREAS: ReadonlyMap<Role, ReadonlySet<string>> = new Map(
  ROLES.map((role) => [role, new Set(READS.filter(({ may }) => mayRead(role, may)).map(areaOf))]),
)

export function canViewArea(role: Role, area: string): boolean {
  return AREAS.get(role)?.has(area) ?? false
}

function mayRead(role: Role, may: StaffCall['may']): boolean {
  return may === 'staff' || (may !== 'anyone' && isAllowed(role, may))
}
