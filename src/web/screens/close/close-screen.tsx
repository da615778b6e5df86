import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { Field } from '#ui/field.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useForm } from '#web/forms/use-form.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { Obstacles } from '#web/screens/close/obstacles.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { refreshUser } from '#web/site/refresh-user.ts'
import { serverNowMs } from '#web/site/settings.ts'

type Own = Reply<'GET /user/close'>

export const CloseScreen = withData(Close)

/** Closing the account: its effects, what must end first, and how to cancel the closing. */
function Close() {
  const query = useCallQuery('GET /user/close', {})
  const own = query.data?.data
  const title = t(own?.closing ? 'closing.title' : 'screen.close')
  const done = () => {
    void refreshUser()
    void query.refetch()
  }
  return (
    <Page title={title} header={<DeepHeader title={title} parent="/account" />} className="pt-1 pb-8">
      <ListStates query={query} isEmpty={own === undefined} emptyText={t('common.no_data')}>
        {own && (
          <div className="flex flex-col gap-3">
            <Explanation own={own} />
            {own.closing === null ? <CloseForm onDone={done} /> : <Running own={own} onDone={done} />}
            <Obstacles obstacles={own.obstacles} />
          </div>
        )}
      </ListStates>
    </Page>
  )
}

function Explanation({ own: { kept_years: years } }: { own: Own }) {
  return (
    <Card className="flex flex-col gap-2 text-small text-fg-2">
      <p>{t('closing.intro')}</p>
      <p>{t('closing.stays')}</p>
      {years > 0 && <p>{t('closing.kept', { years })}</p>}
    </Card>
  )
}

function CloseForm({ onDone }: { onDone: () => void }) {
  const form = useForm({
    initial: { reason: '' },
    validate: () => ({}),
    submit: async ({ reason }) => {
      await call('POST /user/close', { body: reason.trim() === '' ? {} : { reason } })
      onDone()
    },
  })
  return (
    <form onSubmit={form.onSubmit} className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <Field label={t('closing.reason')} maxLength={500} {...form.field('reason')} />
      <Button type="submit" loading={form.busy}>
        {t('screen.close')}
      </Button>
    </form>
  )
}

function Running({ own: { closing, excluded_until: excludedUntil }, onDone }: { own: Own; onDone: () => void }) {
  const form = useForm({
    initial: {},
    validate: () => ({}),
    submit: async () => {
      await call('POST /user/close/cancel')
      onDone()
    },
  })
  if (closing === null) return null
  const times = {
    from: dayAndTimeText(Date.parse(closing.requested_at)),
    time: dayAndTimeText(Date.parse(closing.erases_at)),
  }
  return (
    <form onSubmit={form.onSubmit} className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <Alert tone="info">{t('closing.running', times)}</Alert>
      {Date.parse(closing.erases_at) <= serverNowMs() ? (
        <p className="text-small text-fg-2">{t('refusal.closing_final')}</p>
      ) : excludedUntil === null ? (
        <Button type="submit" loading={form.busy}>
          {t('closing.cancel')}
        </Button>
      ) : (
        <p className="text-small text-fg-2">
          {t('closing.excluded', { time: dayAndTimeText(Date.parse(excludedUntil)) })}
        </p>
      )}
    </form>
  )
}
