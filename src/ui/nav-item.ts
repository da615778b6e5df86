import type { LucideIcon } from 'lucide-react/types'

/** A main destination, the same for bottom bar, rail and top bar. */
export interface NavItem {
  href: string
  label: string
  Icon: LucideIcon
  active: boolean
}
