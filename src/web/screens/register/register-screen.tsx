import { useEffect, useState } from 'react'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { formatCount } from '#ui/format.ts'
import { SumRow } from '#ui/sum-row.tsx'
import type { Reply } from '#web/api/call.ts'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { clockDateTime } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import { lookAtRegister } from '#web/register/look-at-register.ts'
import { Compare } from '#web/screens/register/compare.tsx'
import { Witnesses } from '#web/screens/register/witnesses.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { ProofLinks } from '#web/shell/proof-links.tsx'
import { serverNowMs } from '#web/site/settings.ts'

export const RegisterScreen = withData(Register)

type RegisterReply = Reply<'GET /proof/register'>

/** The public register: its newest state, who else has signed it, and how to compare it. Open to everyone. */
function Register() {
  const query = useCallQuery('GET /proof/register', {}, { everyMs: MINUTE_MS })
  const register = query.data?.data
  const size = register?.newest?.size
  const [hasLooked, setHasLooked] = useState(false)
  useEffect(() => {
    if (size !== undefined) void lookAtRegister().then(() => setHasLooked(true))
  }, [size])
  return (
    <Page
      title={t('screen.register')}
      header={<DeepHeader title={t('screen.register')} crumb={t('page.crumb')} parent="/" />}
      className="pt-1 pb-8"
    >
      <p className="mb-4 text-small text-fg-2">{t('register.intro')}</p>
      {register !== undefined ? (
        <>
          <State register={register} />
          <Witnesses witnesses={register.witnesses} />
          {hasLooked || size === undefined ? (
            <Compare keys={register.keys.map((key) => key.verifier_key)} />
          ) : (
            // The links below stay hidden until the page has compared the register with the states in this browser.
            // Until then the height of this part is unknown.
            <div aria-busy="true" />
          )}
        </>
      ) : (
        <LoadingCard query={query} />
      )}
      <ProofLinks from="register" />
    </Page>
  )
}

const HEALTHY_MS = 5 * MINUTE_MS

function State({ register: { origin, newest, halted_since: haltedSince } }: { register: RegisterReply }) {
  const stoodStillMs = newest === null ? 0 : serverNowMs() - Date.parse(newest.at)
  return (
    <>
      {haltedSince !== null && (
        <Alert tone="danger" className="mb-3">
          {t('register.halted')}
        </Alert>
      )}
      {haltedSince === null && stoodStillMs > HEALTHY_MS && (
        <Alert tone={stoodStillMs > HOUR_MS ? 'danger' : 'warn'} className="mb-3">
          {t('register.stands_still', { minutes: formatCount(Math.floor(stoodStillMs / MINUTE_MS)) })}
        </Alert>
      )}
      <Card>
        <dl className="flex flex-col gap-2.5">
          <SumRow label={t('register.entries')}>{formatCount(newest?.size ?? 0)}</SumRow>
          {newest !== null && <SumRow label={t('register.signed')}>{clockDateTime(Date.parse(newest.at))}</SumRow>}
          <SumRow label={t('register.name')}>
            <span className="[overflow-wrap:anywhere]" dir="ltr">
              {origin}
            </span>
          </SumRow>
        </dl>
      </Card>
    </>
  )
}
