import { useQueryClient } from '@tanstack/react-query'
import Menu from 'lucide-react/icons/menu'
import Search from 'lucide-react/icons/search'
import { Suspense, useEffect, useState } from 'react'
import { Route, Routes } from 'react-router'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { IconButton } from '#ui/icon-button.tsx'
import { LogoMark } from '#ui/logo.tsx'
import { useToast } from '#ui/toast.tsx'
import { callStaff, failureText, StaffFailure } from '#back-office/api/call-staff.ts'
import { followChanges } from '#back-office/live/follow-changes.ts'
import { PAGES, SessionsPage } from '#back-office/pages.tsx'
import { FindDialog } from '#back-office/shell/find-dialog.tsx'
import { useFindKey } from '#back-office/shell/use-find-key.ts'
import { Nav } from '#back-office/shell/nav.tsx'
import { NavDrawer } from '#back-office/shell/nav-drawer.tsx'
import { NoPage } from '#back-office/shell/no-page.tsx'
import { PageLoading } from '#back-office/shell/page-loading.tsx'
import { useStaff } from '#back-office/session/staff.ts'
import { NewDevice } from '#back-office/shell/new-device.tsx'
import { FirstPage } from '#back-office/shell/first-page.tsx'
import { PageBoundary } from '#back-office/shell/page-boundary.tsx'
import { t } from '#back-office/i18n/t.ts'

/** The frame of every page. The navigation is at the side; on phones it opens from a button. */
export function AppShell({ onSignedOut }: { onSignedOut: () => void }) {
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isFinding, setFinding] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const staff = useStaff()
  const client = useQueryClient()
  const toast = useToast()
  useEffect(() => followChanges(client), [client])
  useFindKey(() => setFinding(true))
  const signOut = async () => {
    // Unmount the pages first: their requests would be refused after the session ends.
    setLeaving(true)
    try {
      await callStaff(staffCalls.staffSignOut)
      onSignedOut()
    } catch (error) {
      // The session is still open on the server, so the log-in page would be untrue: a reload would need no password.
      setLeaving(false)
      if (!(error instanceof StaffFailure && error.status === 401))
        toast({ tone: 'danger', text: t('common.log_out_failed', { reason: failureText(error) }) })
    }
  }
  if (isLeaving) return <PageLoading />
  const pages = PAGES.filter(({ may }) => staff.permissions.includes(may))
  return (
    <div className="min-h-dvh lg:grid lg:h-dvh lg:grid-cols-[220px_minmax(0,1fr)] print:block print:h-auto">
      <a
        href="#content"
        className="fixed start-4 top-2 z-50 -translate-y-20 rounded-small bg-brand-solid px-4 py-2 font-semibold text-on-brand focus:translate-y-0"
      >
        {t('common.skip')}
      </a>
      <aside
        aria-label={t('nav.back_office')}
        className="hidden border-e border-line bg-bg lg:block lg:overflow-y-auto print:hidden"
      >
        <Nav pages={pages} onFind={() => setFinding(true)} onSignOut={() => void signOut()} />
      </aside>
      <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-bg px-2 lg:hidden print:hidden">
        <IconButton
          label={t('nav.open')}
          icon={<Menu size={20} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => setMenuOpen(true)}
        />
        <LogoMark size={26} />
        <b className="min-w-0 flex-1 truncate font-semibold">{staff.site_name}</b>
        <IconButton
          label={t('find.label')}
          icon={<Search size={20} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => setFinding(true)}
        />
      </header>
      <FindDialog pages={pages} open={isFinding} onClose={() => setFinding(false)} />
      <NavDrawer open={isMenuOpen} onClose={() => setMenuOpen(false)}>
        <Nav pages={pages} onSignOut={() => void signOut()} onGone={() => setMenuOpen(false)} />
      </NavDrawer>
      <div className="min-h-[calc(100dvh-3.5rem)] min-w-0 bg-surface lg:h-dvh lg:overflow-hidden print:h-auto print:overflow-visible">
        {staff.new_device && <NewDevice {...staff.new_device} />}
        <PageBoundary>
          <Suspense fallback={<PageLoading />}>
            <Routes>
              <Route index element={<FirstPage pages={pages} />} />
              {pages.map(({ path, Page }) => (
                <Route key={path} path={path} element={<Page />} />
              ))}
              <Route path="sessions" element={<SessionsPage />} />
              <Route path="*" element={<NoPage />} />
            </Routes>
          </Suspense>
        </PageBoundary>
      </div>
    </div>
  )
}
