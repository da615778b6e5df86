import { createContext, useContext } from 'react'
import type { StaffOut } from '#contract/back-office/session.ts'
import type { Permission } from '#core/staff/permissions.ts'

export const StaffContext = createContext<StaffOut | null>(null)

/** Who is signed in. Pages are drawn for nobody else. */
export function useStaff(): StaffOut {
  const staff = useContext(StaffContext)
  if (staff === null) throw new Error('useStaff needs somebody signed in')
  return staff
}

/** Whether this person may do something. It decides what is shown; what is allowed the server decides. */
export function useMay(permission: Permission): boolean {
  return useStaff().permissions.includes(permission)
}
