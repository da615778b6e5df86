import { createContext, useContext } from 'react'
import type { StaffOut } from '#contract/back-office/session.ts'
import type { Permission } from '#core/staff/permissions.ts'

export const StaffContext = createContext<StaffOut | null>(null)

/** Returns the logged-in staff member. Pages render only while a staff member is logged in. */
export function useStaff(): StaffOut {
  const staff = useContext(StaffContext)
  if (staff === null) throw new Error('useStaff needs a logged-in staff member')
  return staff
}

/** Whether this staff member has a permission. It decides only what is shown; the server enforces permissions. */
export function useMay(permission: Permission): boolean {
  return useStaff().permissions.includes(permission)
}
