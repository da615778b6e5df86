import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#ui/cx.ts'
import { useIsOnline } from '#ui/state/online.ts'
import { OfflineStrip } from '#ui/offline-strip.tsx'
import { clockTime, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { useConnection, useHeardUntil } from '#web/live/live-store.ts'
import { hasNavigated, useScreenMatch } from '#web/session/navigation.ts'
import { NoticeAlert } from '#web/shell/notice-alert.tsx'
import { useNotice } from '#web/session/notice.ts'
import { useSettings } from '#web/site/settings.ts'

interface PageProps {
  /** For the browser's tab and history; the site's name is added. */
  title: string
  header?: ReactNode
  children: ReactNode
  /** The widest the content gets on large screens. Forms and lists 560, home 1120; the trade screen fills the window. */
  width?: 'form' | 'wide' | 'full' | undefined
  className?: string | undefined
}

const WIDTHS = {
  form: 'md:mx-auto md:w-full md:max-w-[560px]',
  wide: 'md:mx-auto md:w-full md:max-w-[1120px]',
  full: '',
}

/** What every screen is: a title, a header, the strip that says the feed is gone, the content. */
export function Page({ title, header, children, width = 'form', className }: PageProps) {
  const isOnline = useIsOnline()
  const offline = useConnection() === 'offline' || !isOnline
  const heardUntil = useHeardUntil()
  useDocumentTitle(title)
  const page = useFocusOnArrival()
  return (
    <div ref={page} className="flex flex-1 flex-col" data-offline={offline ? '' : undefined}>
      {header}
      <OfflineStrip offline={offline}>
        {heardUntil === null
          ? t('shell.offline_plain')
          : t('shell.offline', { time: `${clockTime(heardUntil)} ${clockZone(heardUntil)}` })}
      </OfflineStrip>
      <EndOfSession />
      <main id="content" tabIndex={-1} className={cx('flex flex-1 flex-col px-(--gutter)', WIDTHS[width], className)}>
        {children}
      </main>
    </div>
  )
}

function useDocumentTitle(title: string): void {
  const site = useSettings()?.site_name ?? 'Fairwick'
  useEffect(() => {
    document.title = title === site ? site : `${title} · ${site}`
  }, [title, site])
}

/** A screen reader that stays where the old page was would not notice the new one: its heading takes the focus. */
function useFocusOnArrival() {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!hasNavigated()) return
    // A screen may begin in a field of its own.
    if (page.current?.contains(document.activeElement)) return
    const heading = page.current?.querySelector('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
  return page
}

/** Why nobody is logged in any more, on pages that stay open without; the log-in says it itself. */
function EndOfSession() {
  const notice = useNotice()
  const { screen } = useScreenMatch()
  if (notice?.isEndOfSession !== true || screen === 'login') return null
  return (
    <div className="px-(--gutter) py-2">
      <NoticeAlert notice={notice} />
    </div>
  )
}
