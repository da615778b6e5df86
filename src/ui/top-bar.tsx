import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import type { NavItem } from '#ui/nav-item.ts'

interface TopBarProps {
  label: string
  /** Logo with the demo note, linked to home. */
  brand: ReactNode
  items: readonly NavItem[]
  /** Clock, balance, deposit, language, theme, avatar. */
  end?: ReactNode
}

/** The header on desktops, 56 px, full width. */
export function TopBar({ label, brand, items, end }: TopBarProps) {
  return (
    <header className="sticky top-0 z-20 hidden h-(--header-h) items-center gap-1 border-b border-line bg-surface ps-4 pe-2.5 lg:flex">
      <div className="w-[232px] xl:w-[280px]">{brand}</div>
      <nav aria-label={label}>
        <ul className="flex gap-1">
          {items.map(({ href, label: name, active }) => (
            <li key={href}>
              <Link
                href={href}
                aria-current={active ? 'page' : undefined}
                className={cx(
                  'hit flex h-9 items-center rounded-small px-3 text-small transition-colors',
                  active ? 'bg-surface-2 font-semibold text-fg' : 'font-list text-fg-2 hover:text-fg',
                )}
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="ms-auto flex items-center gap-1">{end}</div>
    </header>
  )
}
