import RefreshCw from 'lucide-react/icons/refresh-cw'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { clockDateTime } from '#web/i18n/clock.ts'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { CallFailure, failureText } from '#web/api/call-failure.ts'
import { type Loaded, useLoaded } from '#web/api/use-loaded.ts'
import { t } from '#web/i18n/t.ts'
import { NotFoundScreen } from '#web/screens/not-found/not-found-screen.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSettings } from '#web/site/settings.ts'
import { copyLabels } from '#web/i18n/copy-labels.ts'

type Message = Reply<'GET /outbox'>['messages'][number]

/**
 * The messages that the demo would have sent. The server shows them only on its own machine, with the key printed at
 * its start.
 */
export function OutboxScreen() {
  const loaded = useLoaded(loadMessages)
  const exists = useSettings()?.outbox !== false
  const refused = loaded.state === 'failed' && loaded.error instanceof CallFailure && loaded.error.status === 404
  if (!exists) return <NotFoundScreen />
  return (
    <Page
      title={t('outbox.title')}
      header={<DeepHeader title={t('outbox.title')} parent="/profile/verification" />}
      className="pb-8"
    >
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p className="flex-[1_1_10rem] text-small text-fg-2">{t('outbox.explain')}</p>
        {loaded.state === 'ready' && (
          <Button
            variant="secondary"
            size="s"
            onClick={loaded.reload}
            icon={<RefreshCw size={16} aria-hidden="true" />}
          >
            {t('outbox.refresh')}
          </Button>
        )}
      </div>
      {refused ? (
        <Empty title={t('outbox.needs_key')}>{t('outbox.needs_key_text')}</Empty>
      ) : (
        <Messages loaded={loaded} />
      )}
    </Page>
  )
}

function Messages({ loaded }: { loaded: Loaded<readonly Message[]> }) {
  if (loaded.state === 'loading') {
    return (
      <div aria-busy="true">
        <SkeletonRows count={3} rowHeight={96} />
      </div>
    )
  }
  if (loaded.state === 'failed') {
    return (
      <Card padded={false}>
        <LoadError reason={failureText(loaded.error)} retryLabel={t('common.try_again')} onRetry={loaded.retry} />
      </Card>
    )
  }
  if (loaded.data.length === 0) return <Empty title={t('common.no_data')}>{t('outbox.empty')}</Empty>
  return (
    <ul className="flex flex-col gap-2">
      {loaded.data.map((message) => (
        <li key={`${message.sent_at} ${message.to} ${message.text}`}>
          <MessageCard message={message} />
        </li>
      ))}
    </ul>
  )
}

function MessageCard({ message }: { message: Message }) {
  const { to, code, text, sent_at } = message
  return (
    <Card>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-caption text-fg-3">
        <span className="min-w-0 wrap-anywhere">{t('outbox.to', { address: to })}</span>
        <span className="num shrink-0">{clockDateTime(Date.parse(sent_at))}</span>
      </div>
      {code !== '' && (
        <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
          <span className="mono text-title tracking-[.08em]!">{code}</span>
          <CopyButton text={code} spoken={t('outbox.copy_code', { code })} labels={copyLabels()} />
        </div>
      )}
      <p dir="auto" className="mt-2 text-small break-words whitespace-pre-line text-fg-2">
        {text}
      </p>
    </Card>
  )
}

async function loadMessages(signal: AbortSignal): Promise<readonly Message[]> {
  return (await call('GET /outbox', { signal })).data.messages
}
