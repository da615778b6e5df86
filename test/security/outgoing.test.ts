import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'

const SERVER = fileURLToPath(new URL('../../src/server', import.meta.url))

/**
 * All server files that connect to other machines, with the source of the address. The source is always the operator.
 */
const OUTGOING: Readonly<Record<string, string>> = {
  'platform/messenger/smtp-messenger.ts': 'SMTP_URL of the environment',
  'platform/messenger/sms-messenger.ts': 'SMS_URL of the environment; redirects are refused',
  'market-data/feeds/providers/provider-connection.ts': 'the file of price sources',
  'market-data/feeds/providers/peer-certificate.ts': 'the file of price sources; only for the certificate',
  'market-data/feeds/providers/rest-client.ts': 'the file of price sources; redirects are refused',
  'platform/outgoing/outgoing.ts':
    'webhooks of staff, push services of browsers and the heartbeat of the operator; only public https addresses, no redirects',
  'register/ask-witness.ts': 'register add-witness of the operator; redirects are refused',
  'register/recover.ts': 'register recover of the operator; redirects are refused',
  'platform/database/postgres.ts': 'DATABASE_URL of the environment',
  'platform/database/postgres-pool.ts': 'DATABASE_URL of the environment',
  'platform/cluster/nats-bus.ts': 'NATS_URL of the environment',
}

/** Everything in Node and in the used libraries that opens a connection. */
const OPENS =
  /(?<![.\w])fetch\(|new WebSocket\(|\b(?:http|https|net|tls|dgram|http2)\.(?:request|get|connect|createConnection|createSocket)\(|from '(?:node:)?(?:https|http2|tls|dgram|undici)'|createTransport\(|new (?:Pool|Client)\(|transport-node'/

it('AT40: the server connects only to machines that the operator configures', () => {
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const opening = sources.filter((name) => OPENS.test(readFileSync(`${SERVER}/${name}`, 'utf8')))
  expect(opening.toSorted()).toEqual(Object.keys(OUTGOING).toSorted())
})

/**
 * Fields that the server never opens: links that only browsers follow, and the reference of a deposit or adjustment.
 */
const NEVER_OPENED: readonly string[] = [
  '/admin/content/:kind/:key/save link',
  '/admin/announcements/:id/save link',
  '/admin/corrections link',
]

/**
 * Addresses of staff, and of the push services of browsers. `platform/outgoing` opens them, and refuses private
 * networks (A180). Of push services only known hosts are accepted.
 */
const OPENED_BY_RULES: readonly string[] = ['/admin/alert-channels/add url', '/user/push/subscriptions endpoint']

it('AT40: no call accepts an address that the server would connect to', () => {
  const fields = [...Object.values<Call | StaffCall>(calls), ...Object.values<Call | StaffCall>(staffCalls)].flatMap(
    ({ path, body }) =>
      body && 'shape' in body ? Object.keys(body.shape as object).map((name) => `${path} ${name}`) : [],
  )
  const addresses = fields.filter((field) =>
    /url|uri|webhook|callback|host|endpoint|avatar|href|link|proxy/i.test(field.slice(field.indexOf(' '))),
  )
  expect(addresses.filter((field) => !NEVER_OPENED.includes(field) && !OPENED_BY_RULES.includes(field))).toEqual([])
})
