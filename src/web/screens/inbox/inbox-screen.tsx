import { useEffect, useRef, useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { SectionLabel } from '#ui/card.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { callKey, queryClient, useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { MailChoices } from '#web/screens/inbox/mail-choices.tsx'
import { PushChoices } from '#web/screens/inbox/push-choices.tsx'
import { NoticeRow } from '#web/screens/inbox/notice-row.tsx'
import { onNewNotice } from '#web/session/new-notices.ts'
import { updateUser, useSession } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

/** The first page of notices. */
const NEWEST = { query: {} }

export const InboxScreen = withData(Inbox)

/** The notices to the user, newest first, and the choice which of them are also mailed or shown on devices. */
function Inbox() {
  const [failure, setFailure] = useState('')
  useNewNotices()
  // The choices wait for the list, which would push them down when it appears.
  const isListThere = !useCallQuery('GET /user/notices', NEWEST, { keepPrevious: true }).isPending
  const markRead = async (which: { ids: string[] } | { until: string }) => {
    setFailure('')
    try {
      const { data } = await call('POST /user/notices/read', { body: which })
      updateUser({ unread_notices: data.unread })
      reload()
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  return (
    <Page
      title={t('screen.inbox')}
      header={<DeepHeader title={t('screen.inbox')} parent="/account" />}
      className="pt-1 pb-8"
    >
      {failure !== '' && (
        <Alert tone="danger" className="mb-2">
          {failure}
        </Alert>
      )}
      <Notices before="" markRead={markRead} />
      {isListThere && (
        <>
          <SectionLabel>{t('inbox.mail')}</SectionLabel>
          <div>
            <MailChoices />
          </div>
          <div className="after-loading">
            <SectionLabel>{t('push.label')}</SectionLabel>
            <PushChoices />
          </div>
        </>
      )}
    </Page>
  )
}

/**
 * Loads the list again when the server reports a notice, and when the count of unread notices changes. Another tab or
 * device can read a notice while a new one arrives, which leaves the count unchanged.
 */
function useNewNotices(): void {
  useEffect(() => onNewNotice(reload), [])
  const unread = useSession()?.user.unread_notices ?? 0
  const before = useRef(unread)
  useEffect(() => {
    if (unread !== before.current) reload()
    before.current = unread
  }, [unread])
}

function reload(): void {
  void queryClient.invalidateQueries({ queryKey: callKey('GET /user/notices') })
}

interface NoticesProps {
  /** The cursor at which the page begins; empty for the newest notices. */
  before: string
  markRead: (which: { ids: string[] } | { until: string }) => Promise<void>
}

/**
 * One page of notices, and below it the older pages that the user opened. Each page begins where the page above it
 * ends, also after a reload of the list.
 */
function Notices({ before, markRead }: NoticesProps) {
  const [showsOlder, setShowsOlder] = useState(false)
  const query = useCallQuery('GET /user/notices', before === '' ? NEWEST : { query: { before } }, {
    keepPrevious: true,
  })
  const page = query.data?.data
  const newest = page?.newest ?? null
  return (
    <ListStates query={query} isEmpty={page?.notices.length === 0} emptyText={t('inbox.empty')}>
      {before === '' && newest !== null && (page?.unread ?? 0) > 0 && (
        <p className="mb-2 flex justify-end">
          <Button size="s" variant="secondary" onClick={() => void markRead({ until: newest })}>
            {t('inbox.mark_all')}
          </Button>
        </p>
      )}
      <ul aria-label={t('screen.inbox')} className="flex flex-col gap-2">
        {page?.notices.map((notice) => (
          <li key={notice.id}>
            <NoticeRow notice={notice} onOpen={() => void markRead({ ids: [notice.id] })} />
          </li>
        ))}
      </ul>
      {page !== undefined &&
        page.next !== null &&
        (showsOlder ? (
          <div className="mt-2">
            <Notices before={page.next} markRead={markRead} />
          </div>
        ) : (
          <Button variant="secondary" className="mt-3 w-full" onClick={() => setShowsOlder(true)}>
            {t('inbox.older')}
          </Button>
        ))}
    </ListStates>
  )
}
