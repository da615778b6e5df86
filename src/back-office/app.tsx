import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BrowserRouter, Route, Routes, useNavigate } from 'react-router'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { NavigateProvider } from '#ui/link.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { ToastProvider } from '#ui/toast.tsx'
import { callStaff, whenSignedOut } from '#back-office/api/call-staff.ts'
import { ME, queryClient } from '#back-office/api/queries.ts'
import { JoinPage } from '#back-office/pages/join/join-page.tsx'
import { SignInPage } from '#back-office/pages/sign-in/sign-in-page.tsx'
import { AppShell } from '#back-office/app-shell.tsx'
import { StaffContext } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

/** Path of the back office on the site. */
const BASE = '/admin'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter basename={BASE}>
        <Frame />
      </BrowserRouter>
    </QueryClientProvider>
  )
}

function Frame() {
  const navigate = useNavigate()
  return (
    <NavigateProvider value={(href) => void navigate(href.startsWith(BASE) ? href.slice(BASE.length) || '/' : href)}>
      <ToastProvider dismissLabel={t('common.dismiss')}>
        <Routes>
          <Route path="join" element={<JoinPage />} />
          <Route path="*" element={<SignedIn />} />
        </Routes>
      </ToastProvider>
    </NavigateProvider>
  )
}

/** Shows the back office to logged-in staff, and the log-in page at every address to all other visitors. */
function SignedIn() {
  const me = useQuery({
    queryKey: ME,
    queryFn: ({ signal }) => callStaff(staffCalls.staffMe, { signal }),
    staleTime: 60_000,
  })
  useEffect(() => {
    whenSignedOut(forgetEverything)
  }, [])

  if (me.isPending) {
    return (
      <main aria-busy="true" className="grid min-h-dvh place-items-center text-fg-3">
        <output className="skeleton flex items-center gap-2 bg-transparent!">
          <Spinner />
          {t('common.loading')}
        </output>
      </main>
    )
  }
  // A logged-in staff member stays logged in while the server cannot be reached.
  if (me.data === undefined) {
    return (
      <main className="mx-auto max-w-[480px] pt-24">
        <LoadFailure query={me} />
      </main>
    )
  }
  if (me.data === null) return <SignInPage onSignedIn={(staff) => queryClient.setQueryData(ME, staff)} />
  return (
    <StaffContext value={me.data}>
      <AppShell onSignedOut={forgetEverything} />
    </StaffContext>
  )
}

/** Clears all cached data after log-out and shows the log-in page. */
function forgetEverything(): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] })
  queryClient.setQueryData(ME, null)
}
