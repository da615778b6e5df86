import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { KeyRows } from '#web/screens/keys/key-rows.tsx'
import { MakeKeySheet } from '#web/screens/keys/make-key-sheet.tsx'
import { NewKeyCard } from '#web/screens/keys/new-key-card.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

export const KeysScreen = withData(Keys)

/** Lists, creates and revokes the API keys of a user. */
function Keys() {
  const query = useCallQuery('GET /user/keys', {})
  const own = query.data?.data
  return (
    <Page
      title={t('screen.keys')}
      header={<DeepHeader title={t('screen.keys')} parent="/account/security" />}
      className="pt-1 pb-8"
    >
      <p className="mb-2 px-0.5 text-small text-fg-2">{t('keys.intro')}</p>
      <p className="mb-3 px-0.5 text-small">
        <Link href="/api/docs" external className="text-brand underline">
          {t('keys.docs')}
        </Link>
      </p>
      {own && <Maker account={own.account} reload={() => void query.refetch()} />}
      <ListStates query={query} isEmpty={own?.keys.length === 0} emptyText={t('keys.empty')}>
        {own && <OwnKeys keys={own.keys} reload={() => void query.refetch()} />}
      </ListStates>
    </Page>
  )
}

/**
 * Explains what API keys of this site can do, and creates a key. The new key stays on the screen until the user has
 * stored it.
 */
function Maker({ account, reload }: { account: Reply<'GET /user/keys'>['account']; reload: () => void }) {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  return (
    <div className="mb-3 flex flex-col gap-3">
      <Alert tone={account === 'live' ? 'warn' : 'info'}>
        {t(account === 'live' ? 'keys.live_note' : 'keys.demo_note')}
      </Alert>
      {made !== null ? (
        <NewKeyCard text={made} onStored={() => setMade(null)} />
      ) : (
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {t('keys.make')}
        </Button>
      )}
      {isOpen && (
        <MakeKeySheet
          canTrade={account !== 'live'}
          onClose={() => setOpen(false)}
          onMade={(text) => {
            setMade(text)
            setOpen(false)
            reload()
          }}
        />
      )}
    </div>
  )
}

function OwnKeys({ keys, reload }: { keys: Reply<'GET /user/keys'>['keys']; reload: () => void }) {
  const [failure, setFailure] = useState<string | null>(null)
  const end = async (id: string | null) => {
    setFailure(null)
    try {
      if (id === null) await call('POST /user/keys/end-all')
      else await call('POST /user/keys/:id/end', { params: { id } })
    } catch (error) {
      setFailure(failureText(error))
    }
    reload()
  }
  return (
    <>
      {failure !== null && (
        <Alert tone="danger" className="mb-2">
          {failure}
        </Alert>
      )}
      <KeyRows keys={keys} onEnd={(id) => void end(id)} />
      {keys.length > 1 && (
        <Button variant="danger" size="m" wide className="mt-3" onClick={() => void end(null)}>
          {t('keys.end_all')}
        </Button>
      )}
    </>
  )
}
