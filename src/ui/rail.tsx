import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import type { NavItem } from '#ui/nav-item.ts'

interface RailProps {
  label: string
  /** The logo mark, linked to home. */
  top: ReactNode
  items: readonly NavItem[]
}

/** The main navigation on tablets: a 64 px column of icons at the inline start. Give the page `md:ps-16 lg:ps-0`. */
export function Rail({ label, top, items }: RailProps) {
  return (
    <aside
      aria-label={label}
      className="fixed inset-y-0 start-0 z-20 hidden w-16 flex-col items-center gap-2 border-e border-line bg-surface py-3 md:flex lg:hidden"
    >
      {top}
      <nav aria-label={label} className="mt-2 flex-1">
        <ul className="flex flex-col gap-1">
          {items.map(({ href, label: name, Icon, active }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={active ? 'page' : undefined}
                className={cx(
                  'flex h-14 w-14 flex-col items-center justify-center gap-[3px] rounded-field text-micro transition-colors',
                  active ? 'bg-brand-tint font-bold text-brand' : 'font-list text-fg-3 hover:bg-surface-2',
                )}
              >
                <Icon size={22} strokeWidth={active ? 2 : 1.75} aria-hidden="true" />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  )
}
