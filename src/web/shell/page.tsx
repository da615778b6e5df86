import { type ReactNode, useEffect, useRef } from 'react'
import { cx } from '#ui/cx.ts'
import { useIsOnline } from '#ui/state/online.ts'
import { OfflineStrip } from '#ui/offline-strip.tsx'
import { clockTime, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { useConnection, useIsOfflineStart, useStaleSince } from '#web/live/live-store.ts'
import { hasNavigated, useScreenMatch } from '#web/session/navigation.ts'
import { ClosingStrip } from '#web/shell/closing-strip.tsx'
import { TermsStrip } from '#web/shell/terms-strip.tsx'
import { RecoveryStrip } from '#web/shell/recovery-strip.tsx'
import { LiveOnlyStrip } from '#web/shell/live-only-strip.tsx'
import { BreakStrip } from '#web/shell/break-strip.tsx'
import { MaintenanceStrip } from '#web/shell/maintenance-strip.tsx'
import { NoticeAlert } from '#web/shell/notice-alert.tsx'
import { useDocumentTitle } from '#web/shell/use-document-title.ts'
import { useNotice } from '#web/session/notice.ts'

interface PageProps {
  /** Title for the browser's tab and history; the site's name is added. */
  title: string
  header?: ReactNode
  children: ReactNode
  /**
   * Maximum content width on large screens: 560 px for `form`, as for forms and lists, and 1,120 px for `wide`. `full`
   * fills the window.
   */
  width?: 'form' | 'wide' | 'full' | undefined
  className?: string | undefined
}

const WIDTHS = {
  form: 'md:mx-auto md:w-full md:max-w-[560px]',
  wide: 'md:mx-auto md:w-full md:max-w-[1120px]',
  full: '',
}

/** The frame of a screen: title, header, the strip for a lost connection, and content. */
export function Page({ title, header, children, width = 'form', className }: PageProps) {
  const isOnline = useIsOnline()
  const offline = useConnection() === 'offline' || !isOnline
  const staleSince = useStaleSince()
  const isOfflineStart = useIsOfflineStart()
  useDocumentTitle(title)
  const page = useFocusOnArrival()
  return (
    <div ref={page} className="flex flex-1 flex-col" data-offline={offline ? '' : undefined}>
      {header}
      <OfflineStrip offline={offline}>
        {isOfflineStart
          ? t('shell.offline_start')
          : staleSince === null
            ? t('shell.offline_plain')
            : t('shell.offline', { time: `${clockTime(staleSince)} ${clockZone(staleSince)}` })}
      </OfflineStrip>
      <EndOfSession />
      <LiveOnlyStrip />
      <BreakStrip />
      <ClosingStrip />
      <MaintenanceStrip />
      <TermsStrip />
      <RecoveryStrip />
      <main id="content" tabIndex={-1} className={cx('flex flex-1 flex-col px-(--gutter)', WIDTHS[width], className)}>
        {children}
      </main>
    </div>
  )
}

/** Focuses the heading of a new page, so that screen readers notice the change. */
function useFocusOnArrival() {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!hasNavigated()) return
    // A screen may focus one of its own fields.
    if (page.current?.contains(document.activeElement)) return
    const heading = page.current?.querySelector('h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [])
  return page
}

/** Shows why the session ended, on pages that need no log-in. The log-in page shows the reason by itself. */
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
