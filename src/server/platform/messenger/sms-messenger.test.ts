import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createMessenger } from '#server/platform/messenger/create-messenger.ts'
import { deliveryFailure } from '#server/platform/messenger/delivery-failure.ts'
import type { Letter } from '#server/platform/messenger/messenger.ts'
import { createSmsMessenger, SmsError } from '#server/platform/messenger/sms-messenger.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'

interface Posted {
  readonly url: string
  readonly authorization: string | undefined
  readonly body: string
}

let server: Server | null = null
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A provider that replies with these statuses, the last one repeatedly; `null` never replies. */
async function startProvider(...statuses: (number | null)[]): Promise<{ url: string; posted: Posted[] }> {
  const posted: Posted[] = []
  const started = createServer((request, response) => {
    const take = async (): Promise<void> => {
      const body = await readAll(request)
      posted.push({ url: request.url ?? '', authorization: request.headers.authorization, body })
      const status = statuses[Math.min(posted.length, statuses.length) - 1] ?? null
      if (status !== null) response.writeHead(status).end('{}')
    }
    void take()
  })
  server = started
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(started.address() as AddressInfo).port}/send`, posted }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** A fast clock: pauses and timeouts are ten times shorter. */
const hurried = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 10, run) }
const LETTER: Letter = {
  to: '+491701112222',
  kind: 'verify_account',
  subject: '',
  text: 'Your "code"\nis 123456.',
  code: '123456',
}
const BODY = '{"to":"{to}","from":"{from}","text":"{text}"}'
const messengerTo = (url: string, token?: string) =>
  createSmsMessenger({ url, body: BODY, token, from: 'Fairwick' }, hurried)

it('the SMS messenger posts the message with the token of the provider account', async () => {
  const { url, posted } = await startProvider(202)
  expect(await messengerTo(`${url}?to={to}`, 'key').send(LETTER)).toBe('sms')
  expect(posted.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { to: LETTER.to, from: 'Fairwick', text: LETTER.text },
  ])
  expect(posted[0]).toMatchObject({ url: '/send?to=%2B491701112222', authorization: 'Bearer key' })
  await messengerTo(url, 'Basic YTpi').send(LETTER)
  expect(posted[1]?.authorization).toBe('Basic YTpi')
})

it.each([
  ['a fault', [500, 200]],
  ['too many', [429, 503, 200]],
  ['no answer', [null, 200]],
] as const)('tries again after %s', async (_, statuses) => {
  const { url, posted } = await startProvider(...statuses)
  expect(await messengerTo(url).send(LETTER)).toBe('sms')
  expect(posted).toHaveLength(statuses.length)
})

it.each([
  ['a refusal, at once', [400], 1, 'HTTP_400'],
  ['faults, after three tries', [500], 3, 'HTTP_500'],
  ['silence, after three tries', [null], 3, 'TIMEOUT'],
] as const)('gives up on %s, and reveals nothing of the message', async (_, statuses, tries, code) => {
  const { url, posted } = await startProvider(...statuses)
  const error = await messengerTo(url)
    .send(LETTER)
    .catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SmsError)
  expect(posted).toHaveLength(tries)
  expect(deliveryFailure(error)).toEqual({ reason: 'SmsError', code })
  expect(JSON.stringify(error) + String(error)).not.toMatch(/123456|1701112222/)
})

it('the SMS messenger gives up on an unreachable provider', async () => {
  const { url } = await startProvider(200)
  const gone = server
  await new Promise((resolve) => gone?.close(resolve))
  await expect(messengerTo(url).send(LETTER)).rejects.toMatchObject({ code: 'NO_CONNECTION' })
})

it('when only SMS is configured, messages to phone numbers go to the provider and mail goes to the outbox', async () => {
  const { url, posted } = await startProvider(200)
  const outboxRecipients: string[] = []
  const outbox = {
    usesOutbox: true,
    send: ({ to }: Letter) => Promise.resolve(outboxRecipients.push(to)).then(() => 'outbox' as const),
  }
  const sms = { url, body: BODY, token: undefined, from: '' }
  const messenger = createMessenger({ smtpUrl: undefined, publicUrl: undefined, sms }, { outbox, clock: systemClock })
  expect(messenger.usesOutbox).toBe(true)
  expect([await messenger.send(LETTER), await messenger.send({ ...LETTER, to: 'a@example.com' })]).toEqual([
    'sms',
    'outbox',
  ])
  expect([posted.length, outboxRecipients]).toEqual([1, ['a@example.com']])
})
