import { Link } from '#ui/link.tsx'
import { LogoMark } from '#ui/logo.tsx'
import type { NavItem } from '#ui/nav-item.ts'
import { Rail } from '#ui/rail.tsx'
import { t } from '#web/i18n/t.ts'
import { DesktopBar } from '#web/shell/desktop-bar.tsx'

/** The top bar of desktops and the rail of tablets, in a separate chunk that phones never load. */
export function WideNavigation({ items }: { items: readonly NavItem[] }) {
  return (
    <>
      <DesktopBar items={items} />
      <Rail
        label={t('shell.main_navigation')}
        top={
          <Link href="/" aria-label={t('screen.home')} className="grid size-11 place-items-center">
            <LogoMark size={32} />
          </Link>
        }
        items={items}
      />
    </>
  )
}
