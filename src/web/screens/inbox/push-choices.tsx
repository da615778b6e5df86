import { useEffect, useRef, useState } from 'react'
import type { PushTopic } from '#core/accounts/notices.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { SectionLabel } from '#ui/card.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { useToast } from '#ui/toast.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { CallFailure, failureText } from '#web/api/call-failure.ts'
import { callKey, queryClient, useCallQuery } from '#web/api/query.tsx'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { LoadingCard } from '#web/lists/loading-card.tsx'
import {
  onPermissionChange,
  ownSubscription,
  type PushSupport,
  pushSupport,
  setWasOn,
  storeSubscription,
  wasOn,
} from '#web/push/device-push.ts'
import { DeviceSettings, type DeviceSettingsProps } from '#web/screens/inbox/device-settings.tsx'

type Push = Reply<'GET /user/push'>

const TOPIC_LABELS = {
  security: 'push.security',
  account: 'push.account',
  deposits: 'inbox.deposits',
  withdrawals: 'push.withdrawals',
  orders: 'inbox.orders',
  results: 'inbox.results',
  limits: 'inbox.limits',
  alerts: 'inbox.alerts',
  payouts: 'inbox.payouts',
} as const satisfies Record<PushTopic, string>

/**
 * Choices: the devices that show notices on their lock screen, and the notices that they show. Only the switch asks the
 * browser for permission.
 */
export function PushChoices() {
  const query = useCallQuery('GET /user/push', {})
  const [support, look] = usePushSupport()
  const [failure, setFailure] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const lastChange = useRef<Promise<void>>(Promise.resolve())
  const toast = useToast()
  if (query.data === undefined || support === null) return <LoadingCard query={query} />
  const { key, devices, topics } = query.data.data
  const own = devices.find(({ current }) => current)
  const others = devices.filter(({ current }) => !current)

  const change = async (request: () => Promise<{ data: Push } | null>) => {
    setFailure('')
    setIsBusy(true)
    try {
      const reply = await request()
      if (reply !== null) queryClient.setQueryData(callKey('GET /user/push', {}), reply)
    } catch (error) {
      setFailure(error instanceof CallFailure ? failureText(error) : t('push.failed'))
    } finally {
      setIsBusy(false)
    }
  }
  /** Runs a change after the changes before it, so that no change works with settings from before another one. */
  const changeInTurn = (request: () => Promise<{ data: Push } | null>) => {
    lastChange.current = lastChange.current.then(() => change(request))
  }
  const turnOn = async () => {
    const permission = await Notification.requestPermission()
    await look()
    if (permission !== 'granted') return null
    const reply = await storeSubscription(key)
    setWasOn(true)
    return reply
  }
  const tryOut = async (id: string) => {
    const reply = await call('POST /user/push/subscriptions/:id/test', { params: { id } })
    if (reply.data.taken) toast({ tone: 'success', text: t('push.test_sent') })
    else {
      setFailure(t('push.failed'))
      await query.refetch()
    }
    return null
  }
  return (
    <>
      {failure !== '' && (
        <Alert tone="danger" className="mb-2">
          {failure}
        </Alert>
      )}
      {support === 'ready' && own === undefined && wasOn() && (
        <Alert tone="warn" className="mb-2">
          {t('push.ended')}
        </Alert>
      )}
      {support === 'ready' ? (
        <List>
          <ListRow
            label={t('push.on')}
            detail={own?.amounts === true ? undefined : t('push.hint')}
            end={
              <Switch
                label={t('push.on')}
                checked={own !== undefined}
                disabled={isBusy}
                onChange={() => void change(own === undefined ? turnOn : () => turnOff(own.id))}
              />
            }
          />
          {own !== undefined && (
            <DeviceSettings device={own} onChange={(next) => changeInTurn(() => changeSettings(own.id, next))} />
          )}
          {own !== undefined && (
            <div className="px-4 pb-3">
              <Button size="m" variant="secondary" disabled={isBusy} onClick={() => void change(() => tryOut(own.id))}>
                {t('push.test')}
              </Button>
            </div>
          )}
        </List>
      ) : (
        <Obstacle support={support} />
      )}
      {others.length > 0 && (
        <>
          <SectionLabel>{t('push.others')}</SectionLabel>
          <List>
            {others.map(({ id, device, since }) => (
              <ListRow
                key={id}
                label={<bdi>{device === '' ? t('push.unknown_device') : device}</bdi>}
                detail={dayAndTimeText(Date.parse(since))}
                end={
                  <Button
                    size="s"
                    variant="quiet"
                    disabled={isBusy}
                    onClick={() =>
                      void change(() => call('POST /user/push/subscriptions/:id/remove', { params: { id } }))
                    }
                  >
                    {t('security.remove')}
                  </Button>
                }
              />
            ))}
          </List>
        </>
      )}
      {devices.length > 0 && (
        <>
          <SectionLabel>{t('push.topics')}</SectionLabel>
          <List>
            {topics.map(({ topic, push }) => {
              const label = t(TOPIC_LABELS[topic])
              const choose = (next: boolean) =>
                changeInTurn(() => call('POST /user/push/topics', { body: { topic, push: next } }))
              return (
                <ListRow key={topic} label={label} end={<Switch label={label} checked={push} onChange={choose} />} />
              )
            })}
          </List>
        </>
      )}
    </>
  )
}

/** Changes some settings of a device, and leaves the others as they were in the newest reply. */
async function changeSettings(id: string, next: Parameters<DeviceSettingsProps['onChange']>[0]) {
  const newest = queryClient.getQueryData<{ data: Push }>(callKey('GET /user/push', {}))
  const device = newest?.data.devices.find((one) => one.id === id)
  if (device === undefined) return null
  const { amounts, quiet } = device
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const body = { amounts, quiet, zone, ...next(device) }
  return call('POST /user/push/subscriptions/:id', { params: { id }, body })
}

async function turnOff(id: string) {
  const reply = await call('POST /user/push/subscriptions/:id/remove', { params: { id } })
  setWasOn(false)
  await (await ownSubscription())?.unsubscribe()
  return reply
}

/**
 * Returns whether this browser can show notices, and a function that checks again. A change of the browser's permission
 * updates the value.
 */
function usePushSupport(): readonly [PushSupport | null, () => Promise<void>] {
  const [support, setSupport] = useState<PushSupport | null>(null)
  const look = () => pushSupport().then(setSupport)
  useEffect(() => {
    const lookAgain = () => void pushSupport().then(setSupport)
    lookAgain()
    return onPermissionChange(lookAgain)
  }, [])
  return [support, look]
}

/** Why this browser shows no notices, and what its user can do. */
function Obstacle({ support }: { support: 'home-screen' | 'denied' | 'unsupported' }) {
  if (support !== 'home-screen')
    return <Alert tone="info">{t(support === 'denied' ? 'push.denied' : 'push.unsupported')}</Alert>
  return (
    <Alert tone="info" title={t('push.home_screen')}>
      <ol className="list-decimal ps-5">
        <li>{t('app.tap_share')}</li>
        <li>{t('app.tap_add')}</li>
      </ol>
    </Alert>
  )
}
