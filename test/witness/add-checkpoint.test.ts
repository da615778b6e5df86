import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assert } from '#core/result.ts'
import { createSigner, EMPTY_ROOT, leafOf, TestLog } from '#test/witness/support/test-log.ts'
import { checkCosignature, idOf, TestWitness, textOf } from '#test/witness/support/witness-process.ts'

const ORIGIN = 'trade.example/register'
const ENTRIES = Array.from({ length: 20 }, (_, at) => `entry ${at}`)
let log: TestLog
let witness: TestWitness

async function begin(): Promise<void> {
  log = new TestLog(ORIGIN, ENTRIES)
  witness = await new TestWitness().follow({ verifierKey: log.verifierKey, url: '-' }).start()
}

describe('add-checkpoint', () => {
  beforeEach(begin)
  afterEach(() => witness.remove())

  it('replies with a cosignature of the present second, and repeats it for a repeated request', async () => {
    const before = Math.floor(Date.now() / 1000)
    const reply = await witness.add(log.request(0, 7))
    const seconds = checkCosignature(witness.verifierKey, reply.body, textOf(log.note(7))) ?? 0
    expect(reply).toMatchObject({ status: 200, type: 'text/plain; charset=utf-8' })
    expect(seconds).toBeGreaterThanOrEqual(before)
    expect(seconds).toBeLessThanOrEqual(Date.now() / 1000)
    expect(await witness.add(log.request(7, 7))).toEqual(reply)
  })

  it('serves the newest cosigned checkpoint', async () => {
    const path = `/${idOf(ORIGIN)}/checkpoint`
    expect(await witness.get(path)).toMatchObject({ status: 404 })
    await witness.add(log.request(0, 7))
    const { body: line } = await witness.add(log.request(7, 12))
    expect(await witness.get(path)).toMatchObject({ status: 200, body: log.note(12) + line })
  })

  it('replies to a wrong old size with 409 and the right size, in the content type text/x.tlog.size', async () => {
    await witness.add(log.request(0, 7))
    expect(await witness.add(log.request(5))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '7\n' })
    expect(await witness.add(log.request(0))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '7\n' })
  })

  it.each([
    ['the empty tree', EMPTY_ROOT, 200],
    ['another root of the empty tree', leafOf('leaf'), 422],
  ])('replies correctly to %s', async (_, root, status) => {
    expect(await witness.add(`old 0\n\n${log.note(0, root)}`)).toMatchObject({ status })
    expect(await witness.add(log.request(0, 3))).toMatchObject({ status: 200 })
  })

  it('keeps both checkpoints of a fork as evidence, for everyone to read', async () => {
    await witness.add(log.request(0, 7))
    const fork = log.note(7, leafOf('fork'))
    await witness.add(`old 7\n\n${fork}`)
    expect(await witness.findings()).toMatchObject([{ code: 'fork', notes: [log.note(7), fork] }])
    await witness.stop()
    await witness.start()
    expect(await witness.findings()).toHaveLength(1)
  })

  it('accepts the checkpoints of either key when a log has two keys', async () => {
    await witness.add(log.request(0, 7))
    const next = createSigner(ORIGIN)
    await witness.stop()
    expect(witness.run('follow', next.verifierKey, '-').code).toBe(0)
    await witness.start()
    log.signers.push(next)
    expect(await witness.add(log.request(7, 9))).toMatchObject({ status: 200 })
    log.signers.shift()
    expect(await witness.add(log.request(9, 12))).toMatchObject({ status: 200 })
  })

  it('cosigns extension lines of a checkpoint together with its first three lines', async () => {
    const text = `${textOf(log.note())}further line\n`
    const note = `${text}\n${log.signers.map((signer) => signer.line(text)).join('')}`
    const reply = await witness.add(`old 0\n\n${note}`)
    expect(checkCosignature(witness.verifierKey, reply.body, text)).not.toBeNull()
  })

  it('accepts one of many concurrent requests that continue one size in different ways', async () => {
    await witness.add(log.request(0, 7))
    const forks = Array.from({ length: 30 }, (_, at) => new Fork(log, `fork ${at}`).request(7, 8, 7))
    const replies = await Promise.all(forks.map((body) => witness.add(body)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ body }) => body.includes('\u2014'))).toHaveLength(1)
  })
})

const REQUESTS: readonly (readonly [string, number, (log: TestLog) => string])[] = [
  ['an empty request', 400, () => ''],
  ['text without an empty line', 400, () => 'old 7\nabc'],
  ['no old size', 400, (one) => one.request(7).replace('old 7', 'new 7')],
  ['a size with a leading zero', 400, (one) => one.request(7).replace('old 7', 'old 07')],
  ['a negative size', 400, (one) => one.request(7).replace('old 7', 'old -7')],
  ['a size beyond exact numbers', 400, (one) => one.request(7).replace('old 7', 'old 9007199254740993')],
  ['a hash that is no base64', 400, (one) => one.request(7).replace(/\n[^\n]{44}\n/, '\n***\n')],
  ['a hash of another length', 400, (one) => one.request(7).replace(/\n[^\n]{44}\n/, '\nAAAA\n')],
  ['no signature', 400, (one) => `old 7\n\n${textOf(one.note())}`],
  ['a line that is no signature', 400, (one) => `${one.request(7)}nothing\n`],
  ['a checkpoint of two lines', 400, (one) => one.request(7).replace('\n20\n', '\n')],
  ['a root of another length', 400, (one) => `old 7\n\n${ORIGIN}\n20\nAAAA\n\n${one.note().split('\n').at(-2)}\n`],
  ['a control character', 400, (one) => one.request(7).replace(ORIGIN, `${ORIGIN}\u0007`)],
  ['an unknown log', 404, (one) => new TestLog('other.example/log', one.entries).request(7)],
  ['a key that is not followed', 403, (one) => new TestLog(ORIGIN, one.entries).request(7)],
  ['an old size above the new one', 400, (one) => one.request(0, 5).replace('old 0', 'old 7')],
  ['an old size that is not the newest', 409, (one) => one.request(5)],
  ['the old size of a new log', 409, (one) => one.request(0)],
  ['a proof without its last hash', 422, (one) => one.request(7).replace(/\n[^\n]{44}\n\n/, '\n\n')],
  ['the proof of another size', 422, (one) => one.request(6).replace('old 6', 'old 7')],
  ['another tree of the same size', 409, (one) => `old 7\n\n${one.note(7, leafOf('fork'))}`],
  [
    'another tree of the same size, with a proof',
    409,
    (one) => one.request(7).replace(/\n\n[^]*$/, `\n\n${one.note(7, leafOf('fork'))}`),
  ],
  ['a larger fork', 422, (one) => new Fork(one).request(7)],
  [
    'a proof for the same size',
    422,
    (one) => one.request(7, 7).replace('\n\n', `\n${EMPTY_ROOT.toString('base64')}\n\n`),
  ],
]

describe('a request that is refused', () => {
  let first = ''
  // These requests change nothing, so one witness gets all of them.
  beforeAll(async () => {
    await begin()
    first = (await witness.add(log.request(0, 7))).body
  })
  afterAll(() => witness.remove())

  it.each(REQUESTS)('refuses %s with status %i and changes nothing', async (_, status, request) => {
    const reply = await witness.add(request(log))
    expect(reply.status).toBe(status)
    expect(reply.body).not.toContain('\u2014')
    expect(await witness.get(`/${idOf(ORIGIN)}/checkpoint`)).toMatchObject({ body: log.note(7) + first })
  })
})

/** A fork of the log: the same log with other entries from the third one on, or from `from` on. */
class Fork {
  readonly #log: TestLog
  readonly #word: string

  constructor(log: TestLog, word = 'other') {
    this.#log = log
    this.#word = word
  }

  request(old: number, size = 20, from = 3): string {
    const fork = new TestLog(
      ORIGIN,
      this.#log.entries.map((entry, at) => (at < from ? entry : `${this.#word} ${at}`)),
    )
    fork.signers.splice(0, 1, ...this.#log.signers)
    return fork.request(old, size)
  }
}

describe('the HTTP interface', () => {
  // The witness has the newest checkpoint, which it cosigns again in each of these tests.
  beforeAll(async () => {
    await begin()
    assert((await witness.add(log.request(0))).status === 200, 'the checkpoint is cosigned')
  })
  afterAll(() => witness.remove())

  it.each([
    ['GET', '/'],
    ['GET', '/add-checkpoint'],
    ['PUT', '/add-checkpoint'],
    ['POST', '/findings'],
    ['DELETE', '/findings'],
    ['GET', '/../key.json'],
    ['GET', `/${'0'.repeat(64)}/checkpoint`],
    ['GET', `/${'0'.repeat(64)}/mirror/checkpoint`],
    ['GET', `/${idOf(ORIGIN)}/mirror/tile/0/../../../../key.json`],
    ['GET', `/${idOf(ORIGIN)}/mirror/tile/0/%2e%2e/000`],
  ])('has no %s %s', async (method, path) => {
    expect(
      (await send(`${method} ${path} HTTP/1.1\r\nHost: w\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)).slice(
        0,
        12,
      ),
    ).toBe('HTTP/1.1 404')
  })

  it('refuses a request that is too long, and serves the next request', async () => {
    const status = await witness.add('x'.repeat(200_000)).then(
      ({ status: one }) => one,
      () => 400,
    )
    expect(status).toBe(400)
    expect(await witness.add(log.request(ENTRIES.length))).toMatchObject({ status: 200 })
  })

  it('refuses bytes that are not UTF-8', async () => {
    const body = Buffer.from(log.request(ENTRIES.length))
    body[body.length - 20] = 0xff
    expect(await witness.add(body)).toMatchObject({ status: 400 })
  })

  it('ends connections that send a request slowly, and replies to others in the meantime', async () => {
    const socket = connect(witness.port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.resume()
    socket.write('POST /add-checkpoint HTTP/1.1\r\nHost: w\r\nContent-Length: 1000\r\n\r\nold')
    expect(await witness.add(log.request(ENTRIES.length))).toMatchObject({ status: 200 })
    await once(socket, 'close')
  })

  it('survives malformed HTTP and clients that leave', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`,
      'POST /add-checkpoint HTTP/1.1\r\n',
    ]) {
      const socket = connect(witness.port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      socket.write(text)
      socket.destroy()
    }
    expect(await witness.add(log.request(ENTRIES.length))).toMatchObject({ status: 200 })
  })
})

/** Sends bytes that a well-behaved client would not send. */
async function send(text: string): Promise<string> {
  const socket = connect(witness.port, '127.0.0.1')
  let reply = ''
  socket.on('data', (part: Buffer) => void (reply += part.toString()))
  socket.end(text)
  await once(socket, 'close')
  return reply
}
