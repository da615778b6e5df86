import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import type { ScreenProps } from '#web/shell/screen-props.ts'

export const UnsubscribeScreen = withData(Unsubscribe)

/** Turns off the mail of a topic by the link of a mail. Opening the link changes nothing: only the button does. */
function Unsubscribe({ params }: ScreenProps) {
  const token = params['token'] ?? ''
  const query = useCallQuery('GET /notices/unsubscribe/:token', { params: { token } })
  const [isDone, setIsDone] = useState(false)
  const [failure, setFailure] = useState('')
  const found = query.data?.data
  const stop = async () => {
    setFailure('')
    try {
      await call('POST /notices/unsubscribe/:token', { params: { token } })
      setIsDone(true)
    } catch (error) {
      setFailure(failureText(error))
    }
  }
  const topic = found?.topic ? t(`inbox.${found.topic}`) : ''
  return (
    <Page
      title={t('screen.unsubscribe')}
      header={<DeepHeader title={t('screen.unsubscribe')} parent="/" />}
      width="form"
      className="pt-1 pb-8"
    >
      <ListStates query={query} isEmpty={found === undefined} emptyText={t('common.no_data')}>
        {topic === '' ? (
          <Alert tone="danger">{t('unsubscribe.unknown')}</Alert>
        ) : isDone || found?.mail === false ? (
          <Alert tone="success">{t('unsubscribe.done', { topic })}</Alert>
        ) : (
          <Card className="flex flex-col gap-3">
            <p>{t('unsubscribe.text', { topic })}</p>
            {failure !== '' && <Alert tone="danger">{failure}</Alert>}
            <Button onClick={() => void stop()}>{t('unsubscribe.button')}</Button>
          </Card>
        )}
      </ListStates>
    </Page>
  )
}
