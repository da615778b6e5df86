import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { t } from '#web/i18n/t.ts'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import type { ScreenProps } from '#web/shell/screen-props.ts'

/** Stops a recovery by the link of a message. Opening the link changes nothing: only the button does. */
export function StopRecoveryScreen({ params }: ScreenProps) {
  const token = params['token'] ?? ''
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [failure, setFailure] = useState('')
  const stop = async () => {
    setState('busy')
    setFailure('')
    try {
      await call('POST /recovery/stop/:token', { params: { token } })
      setState('done')
    } catch (error) {
      setFailure(failureText(error))
      setState('open')
    }
  }
  return (
    <Page
      title={t('screen.stop_recovery')}
      header={<DeepHeader title={t('screen.stop_recovery')} parent="/" />}
      width="form"
      className="pt-1 pb-8"
    >
      {state === 'done' ? (
        <Alert tone="success">{t('recovery.stopped')}</Alert>
      ) : (
        <Card className="flex flex-col gap-3">
          <p>{t('recovery.stop_text')}</p>
          {failure !== '' && <Alert tone="danger">{failure}</Alert>}
          <Button variant="danger" loading={state === 'busy'} onClick={() => void stop()}>
            {t('recovery.not_me')}
          </Button>
        </Card>
      )}
    </Page>
  )
}
