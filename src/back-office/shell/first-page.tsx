import { Navigate } from 'react-router'
import type { AdminPage } from '#back-office/shell/admin-page.ts'
import { NoPage } from '#back-office/shell/no-page.tsx'

/** `/admin` itself: the first page that this person may see. */
export function FirstPage({ pages }: { pages: readonly AdminPage[] }) {
  const [first] = pages
  return first === undefined ? <NoPage /> : <Navigate to={first.href} replace />
}
