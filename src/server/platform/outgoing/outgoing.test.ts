import { once } from 'node:events'
import { Agent, createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createOutgoing, isOutgoingUrl } from '#server/platform/outgoing/outgoing.ts'
import { isPrivateAddress } from '#server/platform/outgoing/private-address.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { testCertificate } from '#test/support/test-certificate.ts'

/** The name in the certificate of the tests. */
const HOST = 'prices.example.com'

let server: Server
let port: number
let paths: string[]
const clock = new FakeClock(0)
beforeEach(async () => {
  paths = []
  server = createServer(testCertificate, (request, response) => {
    paths.push(`${request.method ?? ''} ${request.url ?? ''}`)
    if (request.url === '/redirect') response.writeHead(302, { location: `https://${HOST}:${port}/inside` }).end()
    else if (request.url === '/long') response.end('x'.repeat(300 * 1_024))
    else if (request.url === '/busy') response.writeHead(500).end()
    else if (request.url !== '/hang') response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function sender(addresses: readonly string[], privateAddresses: readonly string[] = []) {
  const lookUp = () => Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })))
  return createOutgoing({ clock, privateAddresses, lookUp, agent: new Agent({ ca: testCertificate.cert }) })
}
const post = (path: string, by = sender(['127.0.0.1'], ['127.0.0.1'])) =>
  by.send(`https://${HOST}:${port}${path}`, { method: 'POST', body: '{}' })

it.each([
  '127.0.0.1',
  '10.1.2.3',
  '169.254.169.254',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
])('counts %s as private', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

it.each(['1.1.1.1', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '::ffff:1.1.1.1'])(
  'counts %s as public',
  (address) => {
    expect(isPrivateAddress(address)).toBe(false)
  },
)

it.each([
  ['https://hooks.example.com/a', true],
  ['http://hooks.example.com/a', false],
  ['https://user:secret@hooks.example.com/a', false],
  ['ftp://hooks.example.com', false],
  ['hooks.example.com', false],
])('isOutgoingUrl accepts %s: %s', (text, isTaken) => {
  expect(isOutgoingUrl(text)).toBe(isTaken)
})

it('a request reaches an address that the operator allows, and returns the status of the reply', async () => {
  expect(await post('/in')).toEqual({ ok: true, status: 204 })
  expect(await post('/busy')).toEqual({ ok: false, failure: 'status', status: 500 })
  expect(paths).toEqual(['POST /in', 'POST /busy'])
})

it('a request follows no redirect, and fails when the reply is too long', async () => {
  expect(await post('/redirect')).toEqual({ ok: false, failure: 'status', status: 302 })
  expect(await post('/long')).toMatchObject({ ok: false, failure: 'too_long' })
  expect(paths).not.toContain('POST /inside')
})

it('no request connects to a host name if one of its addresses is private', async () => {
  for (const addresses of [['127.0.0.1'], ['1.1.1.1', '127.0.0.1'], ['::ffff:127.0.0.1'], ['::1']]) {
    const by = sender(addresses)
    expect(await post('/in', by)).toMatchObject({ ok: false, failure: 'private' })
    expect(await by.refusalOf(`https://${HOST}/`)).toBe('private')
  }
  expect(paths).toEqual([])
})

it.each([
  ['a host without an address', [], '', 'not_found'],
  ['a port of SSH', ['1.1.1.1'], ':22', 'port'],
  ['another port than 443', ['1.1.1.1'], ':8443', 'port'],
  ['the port of https', ['1.1.1.1'], ':443', null],
  ['another port of an address that the operator allows', ['10.0.0.7'], ':8443', null],
  ['another port of a name that also leads elsewhere', ['10.0.0.7', '1.1.1.1'], ':8443', 'port'],
])('checks %s before it is stored', async (_, addresses, suffix, refusal) => {
  expect(await sender(addresses, ['10.0.0.0/24']).refusalOf(`https://${HOST}${suffix}/in`)).toBe(refusal)
})

it('no request connects to a private address in any numeric notation', async () => {
  const by = sender(['1.1.1.1'])
  for (const host of ['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
    expect(await by.send(`https://${host}:${port}/in`, { method: 'GET' })).toMatchObject({ failure: 'private' })
  }
  expect(paths).toEqual([])
})

it('a request gives up after 10 s on a receiver that does not answer', async () => {
  const reply = post('/hang')
  while (paths.length === 0) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(9_999)
  clock.advance(1)
  expect(await reply).toEqual({ ok: false, failure: 'timeout', status: null })
})

it('no request is sent to a server with an untrusted certificate', async () => {
  const stranger = createOutgoing({
    clock,
    privateAddresses: ['127.0.0.1'],
    lookUp: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
  })
  expect(await post('/in', stranger)).toEqual({ ok: false, failure: 'no_connection', status: null })
  expect(paths).toEqual([])
})
