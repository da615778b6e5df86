import { Alert } from '#ui/alert.tsx'
import type { Notice } from '#web/session/notice.ts'

/** What the screen before left to be said, in the page and never over it. */
export function NoticeAlert({ notice }: { notice: Notice }) {
  return (
    <Alert tone={notice.tone} title={notice.title}>
      {notice.text}
    </Alert>
  )
}
