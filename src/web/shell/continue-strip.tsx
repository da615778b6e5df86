import ArrowRight from 'lucide-react/icons/arrow-right'
import X from 'lucide-react/icons/x'
import { matchScreen, type ScreenName, type ScreenParams } from '#core/navigation/screens.ts'
import { isWorthOffering } from '#core/navigation/where-to.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useFullPath } from '#web/session/navigation.ts'
import { useSession } from '#web/session/session.ts'
import { navigationUser } from '#web/session/navigation-user.ts'
import { storeRequestedPath, useRequestedPath } from '#web/session/visit.ts'

/** Offers the page that the first navigation of the session was redirected from. */
export function ContinueStrip() {
  const wanted = useRequestedPath()
  const session = useSession()
  const current = useFullPath()
  if (wanted === null) return null
  const user = session && navigationUser(session.user)
  if (!isWorthOffering({ wanted, current, user })) return null
  const { screen, params } = matchScreen(wanted.replace(/\?.*/, ''))
  return (
    <div className="flex min-h-11 items-center gap-2 bg-brand-tint ps-4 pe-1 text-small text-fg">
      <Link
        href={wanted}
        onClick={() => storeRequestedPath(null)}
        className="flex min-h-11 flex-1 items-center gap-1.5 font-semibold text-brand"
      >
        {t('shell.continue_to', { place: placeOf(wanted, screen, params) })}
        <ArrowRight size={16} className="flip" aria-hidden="true" />
      </Link>
      <IconButton
        label={t('shell.dismiss')}
        onClick={() => storeRequestedPath(null)}
        icon={<X size={18} aria-hidden="true" />}
      />
    </div>
  )
}

function placeOf(path: string, screen: ScreenName, params: ScreenParams): string {
  const symbol = params['symbol']
  if (screen === 'trade' && symbol !== undefined) return symbol.toUpperCase()
  return screen === 'not_found' ? path : t(`screen.${screen}`)
}
