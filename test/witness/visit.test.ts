import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSigner, type Handler, leafOf, TestLog } from '#test/witness/support/test-log.ts'
import { checkCosignature, idOf, TestWitness, textOf } from '#test/witness/support/witness-process.ts'

const OFTEN = ['--every', '0.1']
const entriesOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `entry ${at}`)
let log: TestLog
let other: TestLog
let witness: TestWitness

beforeEach(async () => {
  log = await new TestLog('trade.example/register', entriesOf(5)).listen()
  other = await new TestLog('other.example/log', entriesOf(3)).listen()
  witness = new TestWitness()
})
afterEach(async () => {
  await witness.remove()
  log.close()
  other.close()
})

/** Returns the newest checkpoint that the witness serves, without the signature line of the witness. */
async function cosignedText(one: TestLog): Promise<string> {
  const { body } = await witness.get(`/${idOf(one.origin)}/checkpoint`)
  return body.includes('\n\n') ? textOf(body) : ''
}

async function waitForSize(one: TestLog, size: number): Promise<void> {
  const text = textOf(one.note(size))
  await vi.waitFor(async () => expect(await cosignedText(one)).toBe(text), { interval: 50 })
}

describe('a visit', () => {
  it('a visit cosigns the checkpoint of a log and submits the cosignature', async () => {
    await witness.follow(log).start(OFTEN)
    await vi.waitFor(() => expect(log.handedIn).toHaveLength(1))
    const { size, line } = JSON.parse(log.handedIn[0] ?? '') as { size: number; line: string }
    expect(size).toBe(5)
    expect(checkCosignature(witness.verifierKey, `${line}\n`, textOf(log.note()))).not.toBeNull()
  })

  it('the witness does not submit its signature again once the checkpoint contains it', async () => {
    await witness.follow(log).start(OFTEN)
    await vi.waitFor(() => expect(log.handedIn).toHaveLength(1))
    log.cosignatures = `${(JSON.parse(log.handedIn[0] ?? '') as { line: string }).line}\n`
    const visits = vi.fn<() => void>()
    log.replies.set('checkpoint', (_, response) => {
      visits()
      response.end(log.note() + log.cosignatures)
    })
    const before = log.handedIn.length
    await vi.waitFor(() => expect(visits.mock.calls.length).toBeGreaterThan(2))
    expect(log.handedIn.length - before).toBeLessThanOrEqual(1)
  })

  it.each([
    [[1, 2, 3, 4, 5, 6, 7, 8]],
    [[5, 255, 256, 257, 511, 512, 513]],
    [[300, 300, 1000, 1001]],
    [[700, 66_000, 70_000]],
  ])('proves from tiles how a log grows by sizes %j', async (sizes) => {
    log.add(...entriesOf(Math.max(...sizes)))
    log.served = sizes[0] ?? 0
    await witness.follow(log).start(OFTEN)
    for (const size of sizes) {
      log.served = size
      await waitForSize(log, size)
    }
    expect(await witness.findings()).toEqual([])
  })

  it('continues from a checkpoint that the log submitted', async () => {
    log.served = 3
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 3)
    expect(await witness.add(log.request(3, 4))).toMatchObject({ status: 200 })
    log.served = 5
    await waitForSize(log, 5)
  })

  it('requests the full tile when the partial tile is gone', async () => {
    log.add(...entriesOf(600))
    log.served = 300
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 300)
    log.replies.set('tile/0/001.p/44', (_, response) => response.writeHead(404).end())
    log.served = 520
    await waitForSize(log, 520)
    expect(await witness.findings()).toEqual([])
  })

  it('cosigns no fork, and keeps both checkpoints as evidence', async () => {
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 5)
    const fork = log.note(5, leafOf('fork'))
    log.replies.set('checkpoint', (_, response) => response.end(fork))
    await vi.waitFor(async () =>
      expect(await witness.findings()).toMatchObject([{ code: 'fork', notes: [log.note(5), fork] }]),
    )
    expect(await cosignedText(log)).toBe(textOf(log.note(5)))
  })

  it('does not cosign a larger checkpoint that the tiles do not lead to', async () => {
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 5)
    const forged = log.note(9, leafOf('fork'))
    log.add(...entriesOf(4))
    log.replies.set('checkpoint', (_, response) => response.end(forged))
    await vi.waitFor(async () =>
      expect(await witness.findings()).toMatchObject([{ code: 'tiles', notes: [log.note(5), forged] }]),
    )
    expect(await cosignedText(log)).toBe(textOf(log.note(5)))
  })

  it('cosigns no rewritten history', async () => {
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 5)
    const known = log.note()
    const rewritten = new TestLog(log.origin, ['another beginning', ...entriesOf(8)])
    rewritten.signers.splice(0, 1, ...log.signers)
    log.replies.set('checkpoint', (_, response) => response.end(rewritten.note()))
    for (const path of ['tile/0/000.p/5', 'tile/0/000.p/9'])
      log.replies.set(path, (_, response) => response.end(rewritten.tile(path)))
    await vi.waitFor(async () => expect(await witness.findings()).toMatchObject([{ code: 'tiles' }]))
    expect(await cosignedText(log)).toBe(textOf(known))
  })

  it('reports a log that serves a smaller size for more than a minute', async () => {
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 5)
    log.served = 4
    await witness.stop()
    const newest = join(
      witness.folder,
      readdirSync(witness.folder)
        .filter((name) => name.startsWith('state-'))
        .toSorted()
        .at(-1) ?? '',
    )
    const state = JSON.parse(readFileSync(newest, 'utf8')) as { logs: [string, { seconds: number }][] }
    for (const [, one] of state.logs) one.seconds -= 61
    writeFileSync(newest, JSON.stringify(state))
    await witness.start(OFTEN)
    await vi.waitFor(async () => expect(await witness.findings()).toMatchObject([{ code: 'smaller' }]))
    expect(await cosignedText(log)).toBe(textOf(log.note(5)))
  })

  it('follows a redirect', async () => {
    log.replies.set('checkpoint', (_, response) => response.writeHead(302, { location: `${log.url}/moved` }).end())
    log.replies.set('moved', (_, response) => response.end(log.note()))
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 5)
    expect(log.handedIn.length).toBeLessThanOrEqual(1)
  })

  it('reports a problem once, and once more when it ends', async () => {
    log.replies.set('checkpoint', (_, response) => response.writeHead(503).end('closed'))
    await witness.follow(log).start(OFTEN)
    await vi.waitFor(() => expect(witness.output).toContain('answers 503'))
    log.replies.clear()
    await waitForSize(log, 5)
    await vi.waitFor(() => expect(witness.output).toContain('the problem is over'))
    expect(witness.output.match(/answers 503/g)).toHaveLength(1)
  })
})

const forEver: Handler = (_, response) => {
  const write = (): void => {
    if (!response.destroyed && response.write('a'.repeat(65_536))) setImmediate(write)
  }
  response.on('drain', write).on('error', () => {})
  write()
}

/**
 * Replies of a log that lies, by path. `known` and `all` are the first tile, with the known leaves or with all leaves.
 */
const LIES: readonly (readonly [string, 'checkpoint' | 'known' | 'all', Handler])[] = [
  ['a checkpoint without end', 'checkpoint', forEver],
  ['a connection that ends', 'checkpoint', (_, response) => response.destroy()],
  [
    'a reply that ends early',
    'checkpoint',
    (_, response) => void response.writeHead(200, { 'content-length': '5000' }).write('x', () => response.destroy()),
  ],
  ['nothing', 'checkpoint', (_, response) => response.end()],
  ['a page', 'checkpoint', (_, response) => response.end('<html><body>Not found</body></html>')],
  ['an error', 'checkpoint', (_, response) => response.writeHead(500).end('no')],
  [
    'redirects in a circle',
    'checkpoint',
    (request, response) => response.writeHead(302, { location: request.url }).end(),
  ],
  [
    'a redirect to no address',
    'checkpoint',
    (_, response) => response.writeHead(302, { location: 'http://[::' }).end(),
  ],
  [
    'a checkpoint that is not signed',
    'checkpoint',
    (_, response) => response.end('trade.example/register\n9\nAAAA\n\n'),
  ],
  [
    'bytes that are no gzip',
    'checkpoint',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'),
  ],
  [
    'a small file that grows when decompressed',
    'checkpoint',
    (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000))),
  ],
  ['a tile that is too short', 'all', (_, response) => response.end(Buffer.alloc(8 * 32))],
  ['a tile that is too long', 'all', (_, response) => response.end(Buffer.alloc(10 * 32))],
  ['a tile of half hashes', 'all', (_, response) => response.end(Buffer.alloc(9 * 32 - 5))],
  ['a tile without end', 'all', forEver],
  ['no tile', 'all', (_, response) => response.writeHead(404).end()],
  ['an empty tile', 'known', (_, response) => response.end()],
]

describe('a log that lies', () => {
  it('a log gets no cosignature while it lies, but delays no other log', async () => {
    await witness.follow(log, other).start(OFTEN)
    for (const [what, place, handler] of LIES) {
      const known = log.entries.length
      await waitForSize(log, known)
      log.add('one', 'more')
      const path = { checkpoint: 'checkpoint', known: `tile/0/000.p/${known}`, all: `tile/0/000.p/${known + 2}` }[place]
      const onRequest = vi.fn<() => void>()
      log.served = known
      log.replies.set(path, (request, response) => {
        onRequest()
        handler(request, response)
      })
      log.served = null
      await vi.waitFor(() => expect(onRequest.mock.calls.length, what).toBeGreaterThan(1), { interval: 20 })
      other.add('entry')
      await waitForSize(other, other.entries.length)
      expect(await cosignedText(log), what).toBe(textOf(log.note(known)))
      log.replies.clear()
    }
    await waitForSize(log, log.entries.length)
    expect(witness.output).not.toContain('    at ')
  })

  it('a log that serves the checkpoint of another log gets no cosignature for either log', async () => {
    log.replies.set('checkpoint', (_, response) => response.end(other.note(2)))
    await witness.follow(log, { verifierKey: other.verifierKey, url: '-' }).start(OFTEN)
    await vi.waitFor(() => expect(witness.output).toContain('serves a checkpoint of other.example/log'))
    expect(await cosignedText(other)).toBe('')
  })

  it('a log cannot send control characters to the terminal of the witness', async () => {
    log.replies.set('checkpoint', (_, response) =>
      response.writeHead(302, { location: 'http://x.invalid/\u001b[31m'.replace('\u001b', '%1b') }).end(),
    )
    const evil = new TestLog('evil.example/\u009b31m', entriesOf(2))
    witness.follow({ verifierKey: evil.verifierKey, url: log.url })
    await witness.start(OFTEN)
    await vi.waitFor(() => expect(witness.output).toContain('TypeError'))
    expect(witness.output).not.toMatch(/[\u0080-\u009f]/)
  })

  it('a log that signs with an unknown key gets no cosignature', async () => {
    await witness.follow(log).start(OFTEN)
    await waitForSize(log, 5)
    log.signers.splice(0, 1, createSigner(log.origin))
    log.add(...entriesOf(1))
    await vi.waitFor(() => expect(witness.output).toContain('no known key of the log has signed'))
    expect(witness.sizes().get(log.origin)).toBe(5)
  })
})

describe('a slow operator', () => {
  let slow: Server
  afterEach(() => void slow.close())

  it('a slow log delays neither other logs nor the replies to requests', async () => {
    slow = createServer(() => {}).listen(0)
    await once(slow, 'listening')
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/log`
    await witness.follow({ verifierKey: log.verifierKey, url }, other).start(OFTEN)
    await waitForSize(other, 3)
    expect(await witness.add(log.request(0, 5))).toMatchObject({ status: 200 })
    slow.closeAllConnections()
  })
})
