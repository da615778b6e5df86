import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { Call } from '#contract/call.ts'
import { calls } from '#contract/calls.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffCall } from '#contract/back-office/staff-call.ts'

const SERVER = fileURLToPath(new URL('../../src/server', import.meta.url))

/** Everything of the server that speaks to other machines, and who says where to. Nobody but the operator ever does. */
const OUTGOING: Readonly<Record<string, string>> = {
  'platform/messenger/smtp-messenger.ts': 'SMTP_URL of the environment',
  'platform/messenger/sms-messenger.ts': 'SMS_URL of the environment; redirects are refused',
  'market-data/feeds/providers/provider-connection.ts': 'the file of price sources',
  'market-data/feeds/providers/rest-client.ts': 'the file of price sources; redirects are refused',
  'platform/database/postgres.ts': 'DATABASE_URL of the environment',
  'platform/cluster/nats-bus.ts': 'NATS_URL of the environment',
}

/** What opens a connection in Node and in the libraries that we use. */
const OPENS =
  /(?<![.\w])fetch\(|new WebSocket\(|\b(?:http|https|net|tls|dgram|http2)\.(?:request|get|connect|createConnection|createSocket)\(|from '(?:node:)?(?:https|http2|tls|dgram|undici)'|createTransport\(|new (?:Pool|Client)\(|transport-node'/

it('attack 40: the server speaks only to machines that its operator names', () => {
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const opening = sources.filter((name) => OPENS.test(readFileSync(`${SERVER}/${name}`, 'utf8')))
  expect(opening.toSorted()).toEqual(Object.keys(OUTGOING).toSorted())
})

/** Links that browsers follow, and nobody else: the server never opens them. */
const FOLLOWED_BY_BROWSERS: readonly string[] = [
  '/admin/content/:kind/:key/save link',
  '/admin/announcements/:id/save link',
]

it('attack 40: no call takes an address that the server would go to', () => {
  const fields = [...Object.values<Call | StaffCall>(calls), ...Object.values<Call | StaffCall>(staffCalls)].flatMap(
    ({ path, body }) =>
      body && 'shape' in body ? Object.keys(body.shape as object).map((name) => `${path} ${name}`) : [],
  )
  const addresses = fields.filter((field) =>
    /url|uri|webhook|callback|host|endpoint|avatar|href|link|proxy/i.test(field.slice(field.indexOf(' '))),
  )
  expect(addresses.filter((field) => !FOLLOWED_BY_BROWSERS.includes(field))).toEqual([])
})
