import type { LucideIcon } from 'lucide-react/types'
import type { ComponentType, LazyExoticComponent } from 'react'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import type { BackOfficeKey } from '#back-office/i18n/t.ts'
import type { Permission } from '#core/staff/permissions.ts'
import type { staffCalls } from '#contract/back-office/staff-calls.ts'

/** A page of the back office with its place in the navigation. */
export interface BackOfficePage {
  /** Relative to `/admin`. An optional parameter is the id of the open row. */
  readonly path: string
  readonly href: string
  readonly name: BackOfficeKey
  readonly section: 'top' | 'money' | 'markets' | 'content' | 'system'
  readonly may: Permission
  readonly Icon: LucideIcon
  /** The queue whose length is shown beside the name. */
  readonly count?: keyof StaffReply<typeof staffCalls.staffCounts>
  readonly Page: LazyExoticComponent<ComponentType>
}
