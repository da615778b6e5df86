import { Alert } from '#ui/alert.tsx'
import type { Notice } from '#web/session/notice.ts'

/** The notice of the previous screen, as part of the page and not over it. */
export function NoticeAlert({ notice }: { notice: Notice }) {
  return (
    <Alert tone={notice.tone} title={notice.title}>
      {notice.text}
    </Alert>
  )
}
