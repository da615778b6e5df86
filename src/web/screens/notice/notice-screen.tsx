import { useEffect, useEffectEvent } from 'react'
import { call } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { useGo } from '#web/session/navigation.ts'
import { updateUser } from '#web/session/session.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import type { ScreenProps } from '#web/shell/screen-props.ts'

export const NoticeScreen = withData(OpenNotice)

/**
 * Opens the screen that a notice links to, after the user pressed its message on the device, and marks the notice as
 * read. A notice of another account opens the inbox.
 */
function OpenNotice({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const go = useGo()
  const query = useCallQuery('GET /user/notices', { query: { id } })
  const found = query.data?.data.notices
  const link = found && (found[0]?.link ?? '/inbox')
  const follow = useEffectEvent((to: string) => {
    if (found?.[0]?.read === false)
      call('POST /user/notices/read', { body: { ids: [id] } })
        .then(({ data }) => updateUser({ unread_notices: data.unread }))
        // After a failure the notice stays unread in the inbox.
        .catch(() => undefined)
    go(to, { replace: true })
  })
  useEffect(() => {
    if (link !== undefined) follow(link)
  }, [link])
  return (
    <Page title={t('screen.notice')} header={<DeepHeader title={t('screen.notice')} parent="/inbox" />}>
      <ListStates query={query} isEmpty={found?.length === 0} emptyText={t('inbox.empty')}>
        {null}
      </ListStates>
    </Page>
  )
}
