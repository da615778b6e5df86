import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { bundleOf, createSigner, type Handler, TestLog } from '#test/witness/support/test-log.ts'
import { idOf, TestWitness, textOf } from '#test/witness/support/witness-process.ts'

const ORIGIN = 'trade.example/register'
const READING = ['--every', '0.1', '--read']
let log: TestLog
let witness: TestWitness

const entry = (fields: Readonly<Record<string, unknown>>): string => JSON.stringify({ v: 1, ...fields })
const genesis = (atMs = Date.now()): string =>
  entry({
    kind: 'genesis',
    origin: ORIGIN,
    mode: 'demo',
    at_ms: atMs,
    ticks: { q: 0, hash: '' },
    owed: { number: 0, head: '' },
    audit: { seq: 0, hash: '' },
    receipts: { root: null, batches: 0 },
  })
const ticks = (q: number): string => entry({ kind: 'ticks', at_ms: Date.now(), q, hash: '00', batches: 1 })
const ticksFrom = (q: number, count: number): string[] => Array.from({ length: count }, (_, at) => ticks(q + at))

async function begin(): Promise<void> {
  log = await new TestLog(ORIGIN, [genesis()]).listen()
  witness = new TestWitness()
}

async function end(): Promise<void> {
  await witness.remove()
  log.close()
}

/** Waits until the witness has cosigned and read the log to its end. */
async function waitUntilRead(size = log.entries.length): Promise<void> {
  await vi.waitFor(
    async () => {
      const { logs } = JSON.parse((await witness.get('/findings')).body) as { logs: { size: number; read: number }[] }
      expect(logs[0]).toMatchObject({ size, read: size })
    },
    { interval: 30 },
  )
}

describe('reading the entries of a register', () => {
  beforeEach(begin)
  afterEach(end)

  it('the witness has no findings about an honest register, however it grows', async () => {
    await witness.follow(log).start(READING)
    for (const count of [1, 1, 253, 1, 1, 300, 700]) {
      log.add(...ticksFrom(log.entries.length, count))
      await waitUntilRead()
    }
    expect(await witness.findings()).toEqual([])
  })

  it('the witness reports its findings once, in its output and to everyone, and still cosigns', async () => {
    await witness.follow(log).start(READING)
    await waitUntilRead()
    log.add(ticks(7), ticks(6), 'no entry')
    await waitUntilRead()
    log.add(entry({ kind: 'ticks', at_ms: Date.now() + 60_000, q: 8, hash: '00', batches: 1 }))
    await waitUntilRead()
    const expected = [
      { code: 'number', index: 2 },
      { code: 'format', index: 3 },
      { code: 'time', index: 4 },
    ]
    expect(await witness.findings()).toMatchObject(expected)
    await witness.stop()
    const { output } = witness
    for (const { code, index } of expected) expect(output.split(`FOUND ${code} ${index}:`)).toHaveLength(2)
    await witness.start(READING)
    await waitUntilRead()
    expect(await witness.findings()).toMatchObject(expected)
    expect(witness.output).not.toContain('FOUND')
  })

  it('reports an entry whose stated time is before a time at which the log was served without this entry', async () => {
    const old = await new TestLog(ORIGIN, [genesis(Date.now() - 3_600_000)]).listen()
    await witness.follow(old).start(READING)
    await waitUntilRead(1)
    await pause(300)
    old.add(entry({ kind: 'ticks', at_ms: Date.now() - 60_000, q: 1, hash: '00', batches: 1 }))
    await waitUntilRead(2)
    old.close()
    expect(await witness.findings()).toMatchObject([
      { code: 'time', index: 1, text: expect.stringMatching(/^at_ms is [345]\d{4} ms too early$/) as string },
    ])
  })

  it('after a restart the witness continues to read where it stopped, also within a tile', async () => {
    log.add(...ticksFrom(1, 600))
    await witness.follow(log).start(READING)
    await waitUntilRead()
    await witness.stop()
    const onRequest = vi.fn<() => void>()
    log.replies.set('tile/entries/000', (_, response) => {
      onRequest()
      response.end()
    })
    log.add(...ticksFrom(601, 200))
    await witness.start(READING)
    await waitUntilRead()
    expect(onRequest).not.toHaveBeenCalled()
    expect(await witness.findings()).toEqual([])
  })

  it('keeps at most twenty findings of each kind', async () => {
    log.add(...Array.from({ length: 500 }, (_, at) => `nothing ${at}`))
    await witness.follow(log).start(READING)
    await waitUntilRead()
    expect(await witness.findings()).toHaveLength(20)
  })

  it('the witness reads no entries without the option for it', async () => {
    await witness.follow(log).start(['--every', '0.1'])
    log.add('nothing')
    await vi.waitFor(async () => {
      const { logs } = JSON.parse((await witness.get('/findings')).body) as { logs: { size: number }[] }
      expect(logs[0]?.size).toBe(2)
    })
    expect(await witness.findings()).toEqual([])
  })

  it('reports a key that signs without an announcement, and an announced key that the witness should follow', async () => {
    const next = createSigner(ORIGIN)
    await witness.follow(log).start(READING)
    await waitUntilRead()
    // The server signs the state that announces a key with this key already.
    log.signers.push(next)
    log.add(entry({ kind: 'key', at_ms: Date.now(), of: 'register', key: next.verifierKey, event: 'made' }))
    await waitUntilRead()
    log.add(ticks(1))
    await waitUntilRead()
    expect(await witness.findings()).toMatchObject([
      { code: 'key', text: expect.stringContaining(next.verifierKey) as string },
    ])
    const secret = createSigner(ORIGIN)
    log.signers.push(secret)
    log.add(ticks(2))
    await waitUntilRead()
    const id = secret.id.toString('hex')
    expect((await witness.findings()).slice(1)).toMatchObject([
      { code: 'key', text: expect.stringContaining(id) as string },
    ])
  })

  it('reports a key that signs a state before the entry that announces the key, also when nothing is new', async () => {
    const next = createSigner(ORIGIN)
    await witness.follow(log).start(READING)
    await waitUntilRead()
    log.signers.push(next)
    await vi.waitFor(async () => expect(await witness.findings()).toMatchObject([{ code: 'key' }]))
    log.add(entry({ kind: 'key', at_ms: Date.now(), of: 'register', key: next.verifierKey, event: 'made' }))
    await waitUntilRead()
    const [signed, announced] = await witness.findings()
    expect(signed).toMatchObject({ text: expect.stringContaining(next.id.toString('hex')) as string })
    expect(announced).toMatchObject({ text: expect.stringContaining(next.verifierKey) as string })
  })

  it('reports entries that are not those of the signed tree', async () => {
    log.add(ticks(1), ticks(2))
    const other = bundleOf([log.entries[0] ?? Buffer.alloc(0), Buffer.from(ticks(9)), Buffer.from(ticks(10))])
    log.replies.set('tile/entries/000.p/3', (_, response) => response.end(other))
    await witness.follow(log).start(READING)
    await vi.waitFor(async () =>
      expect(await witness.findings()).toMatchObject([{ code: 'tiles', notes: [log.note()] }]),
    )
    const { body } = await witness.get(`/${idOf(ORIGIN)}/checkpoint`)
    expect(textOf(body)).toBe(textOf(log.note()))
    log.replies.clear()
    await waitUntilRead()
  })
})

const LIES: readonly (readonly [string, Handler])[] = [
  ['no bundle', (_, response) => response.writeHead(404).end()],
  ['an empty bundle', (_, response) => response.end()],
  ['a bundle with too few entries', (_, response) => response.end(bundleOf([Buffer.from('a')]))],
  [
    'a bundle with too many entries',
    (_, response) => response.end(bundleOf(Array.from({ length: 9 }, () => Buffer.from('a')))),
  ],
  [
    'a bundle that ends within an entry',
    (_, response) => response.end(bundleOf([Buffer.from('abcdef')]).subarray(0, 5)),
  ],
  ['a bundle that ends within a length', (_, response) => response.end(Buffer.of(0))],
  ['a length that reaches beyond the end', (_, response) => response.end(Buffer.of(255, 255, 1))],
  ['empty entries', (_, response) => response.end(Buffer.alloc(512))],
]

describe('a log that lies about its entries', () => {
  // A lie changes nothing in the witness, so all tests use one witness and one log, which each test makes larger.
  beforeAll(async () => {
    await begin()
    await witness.follow(log).start(READING)
  })
  afterEach(() => log.replies.clear())
  afterAll(end)

  it.each(LIES)('the witness survives %s, and continues to read', async (_, handler) => {
    await waitUntilRead()
    log.add(ticks(log.entries.length))
    const onRequest = vi.fn<() => void>()
    log.replies.set(`tile/entries/000.p/${log.entries.length}`, (request, response) => {
      onRequest()
      handler(request, response)
    })
    await vi.waitFor(() => expect(onRequest.mock.calls.length).toBeGreaterThan(1))
    log.replies.clear()
    await waitUntilRead()
  })
})

describe('a mirror', () => {
  beforeEach(begin)
  afterEach(end)

  const MIRRORING = ['--every', '0.1', '--mirror']
  const fetchTile = async (path: string): Promise<Buffer | null> => {
    const response = await fetch(`${witness.url}/${idOf(ORIGIN)}/mirror/${path}`)
    return response.ok ? Buffer.from(await response.arrayBuffer()) : null
  }

  it.each([
    [3, ['tile/0/000.p/3', 'tile/entries/000.p/3']],
    [256, ['tile/0/000', 'tile/1/000.p/1', 'tile/entries/000']],
    [
      700,
      ['tile/0/000', 'tile/0/001', 'tile/0/002.p/188', 'tile/1/000.p/2', 'tile/entries/001', 'tile/entries/002.p/188'],
    ],
    [
      66_000,
      [
        'tile/0/000',
        'tile/0/255',
        'tile/0/256',
        'tile/0/257.p/208',
        'tile/1/000',
        'tile/1/001.p/1',
        'tile/2/000.p/1',
        'tile/entries/257.p/208',
      ],
    ],
  ])('of %i entries serves the tiles %j after the log is gone', async (size, paths) => {
    log.add(...ticksFrom(1, size - 1))
    await witness.follow(log).start(MIRRORING)
    await waitUntilRead()
    log.close()
    for (const path of paths) expect(await fetchTile(path), path).toEqual(log.tile(path))
    const note = (await fetchTile('checkpoint'))?.toString() ?? ''
    expect(textOf(note)).toBe(textOf(log.note()))
    expect(note).toContain(`\u2014 ${witness.verifierKey.split('+')[0]} `)
  })

  it('a mirror keeps all tiles as the log grows', async () => {
    await witness.follow(log).start(MIRRORING)
    for (const count of [200, 55, 1, 300]) {
      log.add(...ticksFrom(log.entries.length, count))
      await waitUntilRead()
    }
    for (const path of [
      'tile/0/000',
      'tile/0/001',
      'tile/0/002.p/45',
      'tile/1/000.p/2',
      'tile/entries/000',
      'tile/entries/002.p/45',
    ])
      expect(await fetchTile(path), path).toEqual(log.tile(path))
  })

  it('a mirror that begins later also copies the older entries', async () => {
    log.add(...ticksFrom(1, 300))
    await witness.follow(log).start(READING)
    await waitUntilRead()
    await witness.stop()
    await witness.start(MIRRORING)
    await vi.waitFor(async () => expect(await fetchTile('checkpoint')).not.toBeNull())
    expect(await fetchTile('tile/entries/000')).toEqual(log.tile('tile/entries/000'))
    expect(await witness.findings()).toEqual([])
  })

  it('a mirror serves no checkpoint whose entries it does not have', async () => {
    log.add(ticks(1))
    log.replies.set('tile/entries/000.p/2', (_, response) => response.writeHead(404).end())
    await witness.follow(log).start(MIRRORING)
    await vi.waitFor(() => expect(witness.output).toContain('answers 404'))
    expect(await fetchTile('checkpoint')).toBeNull()
    expect(await witness.get(`/${idOf(ORIGIN)}/checkpoint`)).toMatchObject({ status: 200 })
  })
})
