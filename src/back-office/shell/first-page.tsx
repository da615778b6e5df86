import { Navigate } from 'react-router'
import type { BackOfficePage } from '#back-office/shell/back-office-page.ts'
import { NoPage } from '#back-office/shell/no-page.tsx'

/** The page at `/admin`: the first one that this staff member may see. */
export function FirstPage({ pages }: { pages: readonly BackOfficePage[] }) {
  const [first] = pages
  return first === undefined ? <NoPage /> : <Navigate to={first.href} replace />
}
