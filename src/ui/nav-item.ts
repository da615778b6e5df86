import type { LucideIcon } from 'lucide-react/types'

/** A main destination, used by bottom bar, rail and top bar. */
export interface NavItem {
  href: string
  label: string
  Icon: LucideIcon
  active: boolean
}
