import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { describeComputed } from '#server/market-data/feeds/multi-source/describe-configuration.ts'
import { type Peer, peerOf, readPeer } from '#server/market-data/feeds/providers/peer-certificate.ts'
import { ProviderConnection } from '#server/market-data/feeds/providers/provider-connection.ts'
import { SOCKET_LIMITS } from '#server/market-data/feeds/providers/socket-limits.ts'
import { publishSources } from '#server/market-data/source-versions/publish-sources.ts'
import { notePeer } from '#server/market-data/source-versions/source-peers.queries.ts'
import { countedTools } from '#test/support/providers/provider-recorder.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { testCertificate } from '#test/support/test-certificate.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let app: TestApp
beforeEach(async () => {
  app = await createTestApp(database)
})
afterEach(() => app.stop())

it('shows the configuration in force, all changes and each text to anyone', async () => {
  expect((await app.call(calls.proofSources)).body.data).toEqual({
    in_force: null,
    versions: [],
    clock: null,
    peers: [],
  })
  const of = (...symbols: (typeof BTC)[]) => describeComputed('synthetic', symbols, { program: '0.1.0 source' })
  await publishSources(app.ctx, 'live', of(BTC))
  await publishSources(app.ctx, 'live', of(BTC))
  await publishSources(app.ctx, 'live', of(BTC, AAPL))
  const { data } = (await app.call(calls.proofSources)).body
  expect(data?.versions.map(({ number }) => number)).toEqual([2, 1])
  expect(data?.in_force?.number).toBe(1)
  const second = await app.call(calls.proofSource, { params: { number: '2' } })
  const text = second.body.data?.text ?? ''
  expect(JSON.parse(text)).toMatchObject({ n: 2, symbols: [{ code: 'BTC' }, { code: 'AAPL' }] })
  const leaf = createHash('sha256')
    .update(Buffer.concat([Buffer.from([0]), Buffer.from(text)]))
    .digest('hex')
  expect([second.body.data?.hash, data?.versions[0]?.hash]).toEqual([leaf, leaf])
  for (const number of ['3', '0', '-1', 'x', '99999999999'])
    expect((await app.call(calls.proofSource, { params: { number } })).status).toBe(404)
})

it('counts a certificate once when a host shows it again, and lists another certificate separately', async () => {
  const peer = (byte: number): Peer => ({
    host: 'stream.example.com',
    spkiSha256: new Uint8Array(32).fill(byte),
    issuer: 'CN=Somebody',
    subject: 'CN=stream.example.com',
    notAfterMs: 1_900_000_000_000,
  })
  for (const byte of [1, 1, 2]) {
    await notePeer(database.db, peer(byte), app.ctx.now())
    app.ctx.clock.advance(1_000)
  }
  const { data } = (await app.call(calls.proofSources)).body
  expect(data?.peers.map(({ spki_sha256: spki, count, issuer }) => [spki.slice(0, 4), count, issuer])).toEqual([
    ['0202', 1, 'CN=Somebody'],
    ['0101', 2, 'CN=Somebody'],
  ])
  await expect(database.db.updateTable('source_peer').set({ issuer: 'x' }).execute()).rejects.toThrow(
    'permission denied',
  )
})

it('reads issuer, subject, end and public key of the certificate of a connection', async () => {
  const server = createServer(testCertificate)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const publicKey = new X509Certificate(testCertificate.cert).publicKey.export({ type: 'spki', format: 'der' })
  expect(peerOf('prices.example.com', socket)).toEqual({
    host: 'prices.example.com',
    spkiSha256: new Uint8Array(createHash('sha256').update(publicKey).digest()),
    issuer: 'O=Test, CN=prices.example.com',
    subject: 'O=Test, CN=prices.example.com',
    notAfterMs: Date.parse(new X509Certificate(testCertificate.cert).validTo),
  })
  socket.destroy()
  server.close()
})

it('returns nothing for a connection that is not encrypted or cannot be made', async () => {
  const server = createServer({})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  // A server without a certificate ends the handshake.
  expect(await readPeer(new URL(`https://127.0.0.1:${port}`))).toBeNull()
  expect(await readPeer(new URL(`http://127.0.0.1:${port}`))).toBeNull()
  const ends: string[] = []
  const peers: Peer[] = []
  const listener = {
    opened: () => {},
    message: () => true,
    quiet: () => {},
    closed: (why: string) => void ends.push(why),
  }
  const tools = { ...countedTools(), onPeer: (peer: Peer) => void peers.push(peer) }
  const connection = new ProviderConnection(tools, SOCKET_LIMITS, { url: `wss://127.0.0.1:${port}` }, listener)
  await expect.poll(() => ends).toHaveLength(1)
  expect([ends[0], peers]).toEqual([expect.stringMatching(/the connection failed/), []])
  await connection.close()
  server.close()
})
