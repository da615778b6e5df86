import LogOut from 'lucide-react/icons/log-out'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import Moon from 'lucide-react/icons/moon'
import Search from 'lucide-react/icons/search'
import Sun from 'lucide-react/icons/sun'
import { NavLink } from 'react-router'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { DemoMark } from '#ui/demo-mark.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { LogoMark } from '#ui/logo.tsx'
import { Avatar } from '#ui/symbol-mark.tsx'
import { toggleTheme, useShownTheme } from '#ui/theme.ts'
import { cx } from '#ui/cx.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { LiveMark } from '#back-office/live/live-mark.tsx'
import type { BackOfficePage } from '#back-office/shell/back-office-page.ts'
import { useStaff } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const SECTIONS = ['top', 'money', 'markets', 'content', 'system'] as const
const ICON = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const

interface NavProps {
  /** The pages that this staff member may see. */
  pages: readonly BackOfficePage[]
  /** Opens the search over everything. Missing where a button beside the navigation opens it. */
  onFind?: () => void
  onSignOut: () => void
  /** Called when a link is followed. */
  onGone?: (() => void) | undefined
}

export function Nav({ pages, onFind, onSignOut, onGone }: NavProps) {
  const staff = useStaff()
  return (
    <div className="flex min-h-full flex-col px-2.5 py-4">
      <div className="flex items-center gap-2.5 px-2 pb-4">
        <LogoMark size={28} />
        <span className="min-w-0">
          <b className="block truncate font-semibold">{staff.site_name}</b>
          <span className="block text-caption text-fg-3">{t('nav.back_office')}</span>
        </span>
      </div>
      {onFind !== undefined && (
        <button
          type="button"
          onClick={onFind}
          className="mx-2 mb-3 flex h-9 items-center gap-2 rounded-chip bg-surface-2 px-3 text-fg-2 hover:text-fg"
        >
          <Search size={16} aria-hidden="true" />
          <span className="flex-1 text-start">{t('find.label')}</span>
          <kbd className="text-caption text-fg-3">{t('find.keys')}</kbd>
        </button>
      )}
      <nav aria-label={t('nav.label')} className="flex-1">
        {SECTIONS.map((section) => (
          <NavSection key={section} section={section} pages={pages} onGone={onGone} />
        ))}
      </nav>
      <LiveMark />
      <Person onSignOut={onSignOut} onGone={onGone} />
    </div>
  )
}

function NavSection({
  section,
  pages,
  onGone,
}: {
  section: (typeof SECTIONS)[number]
  pages: readonly BackOfficePage[]
  onGone: (() => void) | undefined
}) {
  const own = pages.filter((page) => page.section === section)
  if (own.length === 0) return null
  return (
    <div className="pb-4">
      {section !== 'top' && (
        <p className="px-2.5 pb-1 text-caption font-medium text-fg-3">{t(`nav.section_${section}`)}</p>
      )}
      <ul>
        {own.map(({ href, name, Icon, count }) => (
          <li key={href}>
            <NavLink
              to={href}
              onClick={onGone}
              className={({ isActive }) =>
                cx(
                  'flex min-h-11 items-center gap-2.5 rounded-small px-2.5 lg:min-h-9',
                  isActive ? 'bg-surface-3 font-semibold text-fg' : 'text-fg-2 hover:bg-surface-2 hover:text-fg',
                )
              }
            >
              <Icon {...ICON} />
              <span className="flex-1">{t(name)}</span>
              {count !== undefined && <WaitingCount queue={count} />}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The number of waiting items of a queue, hidden at zero. One call loads the counts of all queues. */
function WaitingCount({ queue }: { queue: NonNullable<BackOfficePage['count']> }) {
  const count = useStaffQuery(staffCalls.staffCounts, {}).data?.[queue] ?? 0
  if (count === 0) return null
  return (
    <span className="num h-5 min-w-5 rounded-full bg-surface-3 px-1.5 text-center text-caption/[1.25rem] font-semibold text-fg-2 [[aria-current=page]_&]:bg-brand-tint [[aria-current=page]_&]:text-brand">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{t('nav.waiting', { count })}</span>
    </span>
  )
}

/** The logged-in staff member, the theme switch and the log-out button. */
function Person({ onSignOut, onGone }: Pick<NavProps, 'onSignOut' | 'onGone'>) {
  const staff = useStaff()
  const isDark = useShownTheme() === 'dark'
  return (
    <div className="sticky bottom-0 -mb-4 border-t border-line bg-bg pt-3 pb-3">
      <div className="flex items-center gap-2.5 px-2">
        <Avatar name={staff.name} size={28} />
        <span className="min-w-0 flex-1">
          <b className="block truncate font-semibold">{staff.name}</b>
          <span className="block text-caption text-fg-3">{t(`role.${staff.role}`)}</span>
        </span>
        {staff.is_demo && <DemoMark form="pill">{t('nav.demo')}</DemoMark>}
      </div>
      <div className="flex justify-between pt-1">
        <IconButton
          label={t(isDark ? 'nav.light' : 'nav.dark')}
          onClick={toggleTheme}
          icon={isDark ? <Sun {...ICON} /> : <Moon {...ICON} />}
        />
        <NavLink
          to="/sessions"
          onClick={onGone}
          aria-label={t('nav.sessions')}
          title={t('nav.sessions')}
          className="grid size-11 place-items-center rounded-full text-fg hover:bg-surface-2"
        >
          <MonitorSmartphone {...ICON} />
        </NavLink>
        <IconButton label={t('nav.sign_out')} onClick={onSignOut} icon={<LogOut {...ICON} />} />
      </div>
    </div>
  )
}
