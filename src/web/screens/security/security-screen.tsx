import KeyRound from 'lucide-react/icons/key-round'
import { useState } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { SectionLabel } from '#ui/card.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { AuthenticatorCard } from '#web/screens/security/authenticator-card.tsx'
import { MeasuresCard } from '#web/screens/security/measures-card.tsx'
import { PasskeysCard } from '#web/screens/security/passkeys-card.tsx'
import { PhoneCard } from '#web/screens/security/phone-card.tsx'
import { RecoveryCard } from '#web/screens/security/recovery-card.tsx'
import { RecoveryCodes } from '#web/screens/security/recovery-codes.tsx'
import { SessionRows } from '#web/screens/security/session-rows.tsx'
import { SignInRows } from '#web/screens/security/sign-in-rows.tsx'
import { PauseNote } from '#web/security/pause-note.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'

export type Security = Reply<'GET /user/security'>

export const SecurityScreen = withData(SecurityPage)

/** The security page: log-in methods, open sessions, and recent log-ins. */
function SecurityPage() {
  const query = useCallQuery('GET /user/security', {})
  // The page waits for the measures, which are in its middle and would move everything below them when they appear.
  const measures = useCallQuery('GET /user/measures', {})
  const waitsForMeasures = measures.isPending && measures.failureCount === 0
  const own = query.data?.data
  return (
    <Page
      title={t('screen.security')}
      header={<DeepHeader title={t('screen.security')} parent="/account" />}
      className="pt-1 pb-8"
    >
      <ListStates
        query={waitsForMeasures ? measures : query}
        isEmpty={own === undefined}
        emptyText={t('common.no_data')}
      >
        {own && <Sections own={own} reload={() => void query.refetch()} />}
      </ListStates>
    </Page>
  )
}

function Sections({ own, reload }: { own: Security; reload: () => void }) {
  const user = useSession()?.user
  const [codes, setCodes] = useState<readonly string[]>([])
  const [failure, setFailure] = useState('')
  /** Runs a change, shows why it failed, and reloads the page's data. */
  const act = async (change: () => Promise<unknown>) => {
    setFailure('')
    try {
      await change()
    } catch (error) {
      setFailure(failureText(error))
    }
    reload()
  }
  const changed = (shown: readonly string[]) => {
    setCodes(shown)
    reload()
  }
  const hasSecondStep = own.authenticator || own.passkeys.length > 0
  return (
    <>
      <div className="flex flex-col gap-2">
        {failure !== '' && <Alert tone="danger">{failure}</Alert>}
        {own.new_devices.map((one) => (
          <Alert
            key={one.id}
            tone="warn"
            action={
              <Button
                size="s"
                variant="secondary"
                onClick={() => void act(() => call('POST /user/security/sign-ins/noticed'))}
              >
                {t('security.was_me')}
              </Button>
            }
          >
            {t('security.new_device_notice', {
              device: one.device || t('security.unknown_device'),
              time: dayAndTimeText(Date.parse(one.at)),
            })}
          </Alert>
        ))}
        {own.withdrawals_from !== null && (
          <Alert tone="info">{t('security.pause', { time: dayAndTimeText(Date.parse(own.withdrawals_from)) })}</Alert>
        )}
      </div>
      {user !== undefined && user.ev && <PhoneCard user={user} />}
      <SectionLabel>{t('security.second_step')}</SectionLabel>
      <p className="mb-2 px-0.5 text-small text-fg-2">{t('security.second_step_hint')}</p>
      {hasSecondStep && <PauseNote className="mb-2 px-0.5" />}
      {codes.length > 0 && <RecoveryCodes codes={codes} onConfirm={() => setCodes([])} />}
      <AuthenticatorCard isOn={own.authenticator} onChanged={changed} act={act} />
      <PasskeysCard passkeys={own.passkeys} onChanged={changed} act={act} />
      {hasSecondStep && <RecoveryCard left={own.recovery_codes_left} onChanged={changed} act={act} />}
      <SectionLabel>{t('measures.title')}</SectionLabel>
      <MeasuresCard />
      {user !== undefined && user.ev && !user.leaving && (
        <List className="mt-4">
          <ListRow icon={<KeyRound size={20} aria-hidden="true" />} label={t('screen.keys')} href="/account/keys" />
        </List>
      )}
      <SectionLabel>{t('security.devices')}</SectionLabel>
      <SessionRows sessions={own.sessions} act={act} />
      <SectionLabel>{t('security.sign_ins')}</SectionLabel>
      <SignInRows lines={own.sign_ins} />
    </>
  )
}
