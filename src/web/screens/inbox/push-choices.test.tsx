import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient, withData } from '#web/api/query.tsx'
import { keepSubscription } from '#web/push/keep-subscription.ts'
import { PushChoices } from '#web/screens/inbox/push-choices.tsx'
import { signIn, signOut } from '#web/session/session.ts'

const ID = '0195a000-0000-7000-8000-000000000001'
const KEY = 'TEST'
const DEVICE = {
  id: ID,
  device: 'Chrome · Android',
  current: true,
  since: '2026-03-18T15:00:00.000Z',
  last_ok: null,
  amounts: false,
  quiet: { from: 1_320, to: 480 },
}
const TOPICS = [
  { topic: 'deposits', push: false },
  { topic: 'security', push: true },
]
const Choices = withData(PushChoices)
const reply = (devices: object[], key = KEY) => ({ body: { data: { key, devices, topics: TOPICS } } })

let permission: string
/** The reply of the user to the browser's question. */
let choice: string
let questions: number
let subscription: ReturnType<typeof aSubscription> | null
let isDown: boolean

function aSubscription(key: string) {
  return {
    options: { applicationServerKey: Uint8Array.from(atob(key), (letter) => letter.codePointAt(0) ?? 0).buffer },
    toJSON: () => ({ endpoint: `https://push.example/${key}`, keys: { p256dh: 'P', auth: 'A' } }),
    unsubscribe: vi.fn<() => Promise<boolean>>(async () => {
      subscription = null
      return true
    }),
  }
}

beforeEach(() => {
  queryClient.clear()
  localStorage.clear()
  signIn({ token: 'T1', user: aUser() })
  permission = 'default'
  choice = 'granted'
  questions = 0
  subscription = null
  isDown = false
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
      if (isDown) throw new DOMException('no service', 'AbortError')
      subscription = aSubscription(applicationServerKey)
      return subscription
    },
  }
  const registration = { pushManager }
  const serviceWorker = Object.assign(new EventTarget(), {
    register: async () => registration,
    getRegistration: async () => registration,
    ready: Promise.resolve(registration),
  })
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('PushManager', EventTarget)
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: async () => {
      questions += 1
      permission = choice
      return permission
    },
  })
  Object.defineProperty(navigator, 'permissions', { value: undefined, configurable: true })
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
  Reflect.deleteProperty(navigator, 'permissions')
})

it('the browser is asked for permission only after a press on the switch, and its subscription is then sent', async () => {
  const { seen } = fakeApi({ 'GET /user/push': reply([]), 'POST /user/push/subscriptions': reply([DEVICE]) })
  render(<Choices />)
  const own = await screen.findByRole('switch', { name: 'Notices on this device' })
  expect([own.getAttribute('aria-checked'), questions]).toEqual(['false', 0])
  await userEvent.click(own)
  expect(await screen.findByRole('switch', { name: 'Notices on this device', checked: true })).toBeTruthy()
  expect(questions).toBe(1)
  expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toMatchObject({
    endpoint: `https://push.example/${KEY}`,
    keys: { p256dh: 'P', auth: 'A' },
    key: KEY,
  })
})

it('the screen says how to allow notices after a refusal, and offers no switch', async () => {
  choice = 'denied'
  fakeApi({ 'GET /user/push': reply([]) })
  render(<Choices />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Notices on this device' }))
  expect(await screen.findByText(/You blocked notices from this site/)).toBeTruthy()
  expect(screen.queryByRole('switch', { name: 'Notices on this device' })).toBeNull()
})

it('the screen says that a browser cannot show notices, and how to get them on an iPhone', async () => {
  fakeApi({ 'GET /user/push': reply([]) })
  vi.stubGlobal('PushManager', undefined)
  Reflect.deleteProperty(globalThis, 'PushManager')
  const { unmount } = render(<Choices />)
  expect(await screen.findByText('This browser cannot show notices.')).toBeTruthy()
  unmount()
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)')
  render(<Choices />)
  expect(await screen.findByText(/Add the app to your home screen first/)).toBeTruthy()
  vi.restoreAllMocks()
})

it('the screen says that the push service of the browser did not answer, and that this device no longer gets notices', async () => {
  isDown = true
  fakeApi({ 'GET /user/push': reply([]) })
  localStorage.setItem('push_on', '1')
  render(<Choices />)
  expect(await screen.findByText(/This device no longer gets notices/)).toBeTruthy()
  await userEvent.click(screen.getByRole('switch', { name: 'Notices on this device' }))
  expect(await screen.findByText(/did not answer/)).toBeTruthy()
})

it('the screen sends a test message to this device, and says whether its push service accepted the message', async () => {
  permission = 'granted'
  subscription = aSubscription(KEY)
  const route = `POST /user/push/subscriptions/${ID}/test` as const
  const answers = [true, false]
  fakeApi({ 'GET /user/push': reply([DEVICE]), [route]: () => ({ body: { data: { taken: answers.shift() } } }) })
  render(
    <ToastProvider dismissLabel="Dismiss">
      <Choices />
    </ToastProvider>,
  )
  const button = await screen.findByRole('button', { name: 'Send a test message' })
  await userEvent.click(button)
  expect(await screen.findByText('Sent. It appears on this device in a moment.')).toBeTruthy()
  await userEvent.click(button)
  expect(await screen.findByText(/did not answer/)).toBeTruthy()
})

it('the user changes the settings for amounts, quiet hours and topics, and turns off notices on this device and on others', async () => {
  permission = 'granted'
  subscription = aSubscription(KEY)
  const own = subscription
  const other = { ...DEVICE, id: ID.replace(/1$/, '2'), current: false, device: '' }
  const { seen } = fakeApi({
    'GET /user/push': reply([DEVICE, other]),
    [`POST /user/push/subscriptions/${ID}`]: reply([{ ...DEVICE, quiet: null }, other]),
    [`POST /user/push/subscriptions/${ID}/remove`]: reply([other]),
    [`POST /user/push/subscriptions/${other.id}/remove`]: reply([DEVICE]),
    'POST /user/push/topics': reply([DEVICE]),
  })
  const last = () => seen.findLast(({ route }) => route.startsWith('POST'))?.body
  render(<Choices />)
  await userEvent.click(await screen.findByRole('switch', { name: /Show amounts/ }))
  await waitFor(() => expect(last()).toMatchObject({ amounts: true, quiet: { from: 1_320, to: 480 } }))
  await userEvent.click(await screen.findByRole('switch', { name: 'Quiet hours', checked: false }))
  await waitFor(() => expect(last()).toMatchObject({ quiet: { from: 1_320, to: 480 } }))
  await userEvent.click(screen.getByRole('switch', { name: 'Deposits' }))
  await waitFor(() => expect(last()).toEqual({ topic: 'deposits', push: true }))
  queryClient.setQueryData(['GET /user/push', {}], { data: reply([DEVICE, other]).body.data })
  expect(await screen.findByText('Unknown device')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByText('Unknown device')).toBeNull())
  await userEvent.click(screen.getByRole('switch', { name: 'Notices on this device' }))
  await waitFor(() => expect(own.unsubscribe).toHaveBeenCalledOnce())
})

it('two quick changes of the settings of this device both hold', async () => {
  permission = 'granted'
  subscription = aSubscription(KEY)
  let stored: object = { ...DEVICE, amounts: true }
  const answers: (() => void)[] = []
  const { seen } = fakeApi({
    'GET /user/push': () => reply([stored]),
    [`POST /user/push/subscriptions/${ID}`]: async ({ body }) => {
      stored = { ...stored, ...(body as object) }
      const answer = reply([stored])
      await new Promise<void>((resolve) => answers.push(resolve))
      return answer
    },
  })
  const changes = () => seen.filter(({ route }) => route.startsWith('POST')).map(({ body }) => body)
  render(<Choices />)
  await userEvent.click(await screen.findByRole('switch', { name: /Show amounts/ }))
  await userEvent.click(screen.getByRole('switch', { name: 'Quiet hours' }))
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.()
  await waitFor(() => expect(changes()).toHaveLength(2))
  answers[1]?.()
  expect(await screen.findByRole('switch', { name: 'Quiet hours', checked: false })).toBeTruthy()
  expect(changes().at(-1)).toMatchObject({ amounts: false, quiet: null })
})

it('the app renews a subscription with an old key, and ends it when the server does not know it or the user logs out', async () => {
  permission = 'granted'
  subscription = aSubscription('TESTTEST')
  const old = subscription
  let devices: object[] = [DEVICE]
  const { seen } = fakeApi({ 'GET /user/push': () => reply(devices), 'POST /user/push/subscriptions': reply([DEVICE]) })
  keepSubscription()
  await waitFor(() => expect(seen.findLast(({ route }) => route.startsWith('POST'))?.body).toMatchObject({ key: KEY }))
  expect(old.unsubscribe).toHaveBeenCalledOnce()
  const renewed = subscription
  devices = []
  signIn({ token: 'T2', user: aUser() })
  await waitFor(() => expect(renewed.unsubscribe).toHaveBeenCalledOnce())
  subscription = aSubscription(KEY)
  const last = subscription
  signOut()
  await waitFor(() => expect(last.unsubscribe).toHaveBeenCalledOnce())
})
