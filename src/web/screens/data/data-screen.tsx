import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { call, callFile, type Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { saveBlob } from '#ui/save-file.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { serverNowMs } from '#web/site/settings.ts'

/** 5 s: the pause of the job that makes copies. */
const REFETCH_MS = 5_000

export const DataScreen = withData(OwnData)

/** The copy of the user's own data: requested here, made by the server, and downloaded here. */
function OwnData() {
  const query = useCallQuery(
    'GET /user/data/export',
    {},
    { everyMs: REFETCH_MS, until: (answer) => answer.export?.state !== 'waiting' },
  )
  const own = query.data?.data
  return (
    <Page
      title={t('screen.data')}
      header={<DeepHeader title={t('screen.data')} parent="/account" />}
      className="pt-1 pb-8"
    >
      <p className="mb-3 px-0.5 text-small text-fg-2">{t('own_data.intro')}</p>
      <ListStates query={query} isEmpty={own === undefined} emptyText={t('common.no_data')}>
        {own && <ExportCard own={own} reload={() => void query.refetch()} />}
      </ListStates>
    </Page>
  )
}

function ExportCard({ own, reload }: { own: Reply<'GET /user/data/export'>; reload: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(null)
    try {
      await work()
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setBusy(false)
    }
    reload()
  }
  const { export: newest, next_at: next } = own
  const mayRequest = next === null || Date.parse(next) <= serverNowMs()
  const download = async (id: string, at: string) =>
    saveBlob(`own-data-${at.slice(0, 10)}.zip`, await callFile('GET /user/data/export/:id', { params: { id } }))
  return (
    <Card className="flex flex-col gap-3">
      {newest && <output className="text-small">{stateText(newest)}</output>}
      {failure !== null && <Alert tone="danger">{failure}</Alert>}
      {newest?.ready_at && (
        <Button loading={isBusy} onClick={() => void run(() => download(newest.id, newest.ready_at ?? ''))}>
          {t('own_data.download')}
        </Button>
      )}
      {mayRequest ? (
        <Button variant="secondary" loading={isBusy} onClick={() => void run(() => call('POST /user/data/export'))}>
          {t('own_data.request')}
        </Button>
      ) : (
        newest?.state === 'ready' && (
          <p className="text-small text-fg-2">{t('own_data.next', { time: dayAndTimeText(Date.parse(next)) })}</p>
        )
      )}
    </Card>
  )
}

function stateText(newest: NonNullable<Reply<'GET /user/data/export'>['export']>): string {
  if (newest.ready_at === null || newest.expires_at === null) {
    return t(newest.state === 'failed' ? 'own_data.failed' : 'own_data.waiting')
  }
  const [time, until] = [newest.ready_at, newest.expires_at].map((at) => dayAndTimeText(Date.parse(at)))
  return t('own_data.ready', { time: time ?? '', until: until ?? '' })
}
