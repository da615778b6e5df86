import { cx } from '#ui/cx.ts'
import { Link } from '#ui/link.tsx'
import type { NavItem } from '#ui/nav-item.ts'

interface BottomBarProps {
  label: string
  items: readonly NavItem[]
}

/**
 * The main navigation on phones, 60 px high above the safe area. Its position is fixed, so give the page
 * `pb-(--tab-h)`.
 */
export function BottomBar({ label, items }: BottomBarProps) {
  return (
    <nav
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex h-(--tab-h)">
        {items.map(({ href, label: name, Icon, active }) => (
          <li key={href} className="flex-1">
            <Link
              href={href}
              aria-current={active ? 'page' : undefined}
              className={cx(
                'relative flex h-full flex-col items-center justify-center gap-[3px] text-micro focus-visible:-outline-offset-2',
                active
                  ? 'font-bold text-brand before:absolute before:-top-px before:h-0.5 before:w-7 before:rounded-b-full before:bg-brand'
                  : 'font-list text-fg-3',
              )}
            >
              <Icon size={22} strokeWidth={active ? 2 : 1.75} aria-hidden="true" />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
