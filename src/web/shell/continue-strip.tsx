import { ArrowRight, X } from 'lucide-react'
import { matchScreen } from '#core/navigation/screens.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { keepWantedPath, useWantedPath } from '#web/shell/visit.ts'

/** Offers the page that the first navigation of the session was kept from. */
export function ContinueStrip() {
  const wanted = useWantedPath()
  if (wanted === null) return null
  return (
    <div className="flex min-h-11 items-center gap-2 bg-brand-tint ps-4 pe-1 text-small text-fg">
      <Link
        href={wanted}
        onClick={() => keepWantedPath(null)}
        className="flex min-h-11 flex-1 items-center gap-1.5 font-semibold text-brand"
      >
        {t('shell.continue_to', { place: placeOf(wanted) })}
        <ArrowRight size={16} className="flip" aria-hidden="true" />
      </Link>
      <IconButton
        label={t('shell.dismiss')}
        onClick={() => keepWantedPath(null)}
        icon={<X size={18} aria-hidden="true" />}
      />
    </div>
  )
}

function placeOf(path: string): string {
  const { screen, params } = matchScreen(path.replace(/\?.*/, ''))
  const symbol = params['symbol']
  if (screen === 'trade' && symbol !== undefined) return symbol.toUpperCase()
  return screen === 'not_found' ? path : t(`screen.${screen}`)
}
