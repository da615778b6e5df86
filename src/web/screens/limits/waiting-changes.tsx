import { useState } from 'react'
import type { LimitsOut } from '#contract/limits.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card, SectionLabel } from '#ui/card.tsx'
import { call } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { changeText } from '#web/screens/limits/change-text.ts'
import { serverNowMs } from '#web/site/settings.ts'

type Waiting = LimitsOut['waiting'][number]

/**
 * Changes that wait for the time at which they can be confirmed, or for the user's confirmation. Each has two buttons
 * of the same size.
 */
export function WaitingChanges({ changes, onDone }: { changes: readonly Waiting[]; onDone: () => void }) {
  const [busy, setBusy] = useState('')
  const [failure, setFailure] = useState('')
  if (changes.length === 0) return null
  const end = async (id: string, action: 'confirm' | 'drop') => {
    setBusy(`${id} ${action}`)
    setFailure('')
    try {
      await call(`POST /user/limits/${action}`, { body: { id } })
    } catch (error) {
      setFailure(failureText(error))
    }
    setBusy('')
    onDone()
  }
  return (
    <section aria-labelledby="limits-waiting">
      <SectionLabel>
        <span id="limits-waiting">{t('limits.waiting')}</span>
      </SectionLabel>
      {failure !== '' && (
        <Alert tone="danger" className="mb-2">
          {failure}
        </Alert>
      )}
      <div className="flex flex-col gap-2">
        {changes.map((change) => {
          const isReady = change.ready || Date.parse(change.ready_at) <= serverNowMs()
          return (
            <Card key={change.id}>
              <p className="font-list">{changeText(change)}</p>
              <p className="mt-0.5 text-label text-fg-2">
                {isReady
                  ? t('limits.confirm_until', { time: dayAndTimeText(Date.parse(change.lapses_at)) })
                  : t('limits.confirm_from', { time: dayAndTimeText(Date.parse(change.ready_at)) })}
              </p>
              <div className="mt-3 grid grid-cols-2 gap-2">
                <Button
                  size="m"
                  variant="secondary"
                  disabled={!isReady}
                  loading={busy === `${change.id} confirm`}
                  onClick={() => void end(change.id, 'confirm')}
                >
                  {t('limits.confirm')}
                </Button>
                <Button
                  size="m"
                  variant="secondary"
                  loading={busy === `${change.id} drop`}
                  onClick={() => void end(change.id, 'drop')}
                >
                  {t('limits.drop')}
                </Button>
              </div>
            </Card>
          )
        })}
      </div>
    </section>
  )
}
