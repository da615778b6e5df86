import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TestLog } from '#test/witness/support/test-log.ts'
import { checkCosignature, TestWitness, textOf } from '#test/witness/support/witness-process.ts'

const ORIGIN = 'trade.example/register'
let log: TestLog
let witness: TestWitness

beforeEach(() => {
  log = new TestLog(
    ORIGIN,
    Array.from({ length: 40 }, (_, at) => `entry ${at}`),
  )
  witness = new TestWitness()
})
afterEach(() => witness.remove())

const follow = (): TestWitness => witness.follow({ verifierKey: log.verifierKey, url: '-' })
const file = (name: string): string => join(witness.folder, name)
const states = (): string[] =>
  readdirSync(witness.folder)
    .filter((name) => name.startsWith('state-'))
    .toSorted()

describe('the folder of a witness', () => {
  it('the folder of a witness contains files that only their owner can read', () => {
    expect(witness.run('init', '--name', 'witness.example/w2').code).toBe(0)
    follow()
    const modes = spawnSync('stat', ['-c', '%a', witness.folder, file('key.json'), file(states()[0] ?? '')], {
      encoding: 'utf8',
    })
    expect(modes.stdout.trim().split('\n').slice(1)).toEqual(['600', '600'])
  })

  it('a witness keeps its key when its command init runs again', () => {
    follow()
    const key = readFileSync(file('key.json'), 'utf8')
    const { code, err } = witness.run('init', '--name', 'other.example/w')
    expect({ code, err }).toEqual({ code: 1, err: 'fairwick-witness: this folder has a key already\n' })
    expect(readFileSync(file('key.json'), 'utf8')).toBe(key)
  })

  it.each(['', 'two words', 'plus+sign', 'ünicode'])('init refuses the name %j', (name) => {
    expect(witness.run('init', '--name', name)).toMatchObject({ code: 1 })
    expect(existsSync(file('key.json'))).toBe(false)
  })

  it('a witness does not start without a key', () => {
    expect(witness.run('serve', '--port', '0')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no key') as string,
    })
  })

  it('a witness does not start with a key whose state is missing', () => {
    follow()
    for (const name of states()) rmSync(file(name))
    const { code, err } = witness.run('serve', '--port', '0')
    expect({ code, err: err.includes('state of this key is missing') }).toEqual({ code: 1, err: true })
    expect(witness.run('follow', log.verifierKey, '-').code).toBe(1)
  })

  it('a witness does not start with the state of another key', async () => {
    follow()
    const other = new TestWitness()
    expect(other.run('init', '--name', 'witness.example/w2').code).toBe(0)
    cpSync(join(other.folder, 'key.json'), file('key.json'))
    await other.remove()
    expect(witness.run('serve', '--port', '0')).toMatchObject({
      code: 1,
      err: expect.stringContaining('another key') as string,
    })
  })

  it('a witness does not start with a damaged state', () => {
    follow()
    const newest = file(states().at(-1) ?? '')
    writeFileSync(newest, readFileSync(newest, 'utf8').slice(0, -9))
    expect(witness.run('serve', '--port', '0').code).toBe(1)
  })

  it('one process at a time opens the folder, and the next process opens it after a kill', async () => {
    await follow().start()
    const second = witness.run('serve', '--port', '0')
    expect(second).toMatchObject({ code: 1, err: 'fairwick-witness: another process uses this folder\n' })
    expect(witness.run('follow', log.verifierKey, '-').code).toBe(1)
    expect(witness.run('show').code).toBe(0)
    await witness.stop('SIGKILL')
    await witness.start()
    expect(await witness.add(log.request(0))).toMatchObject({ status: 200 })
  })

  it('the program refuses commands and options that do not exist', () => {
    follow()
    for (const args of [
      [],
      ['start'],
      ['serve'],
      ['serve', '--port', 'x'],
      ['show', '--prot', '1'],
      ['follow', 'x', '-'],
    ]) {
      expect(witness.run(...args).code, args.join(' ')).toBe(1)
    }
    expect(witness.run('follow', log.verifierKey, 'file:///etc/passwd').code).toBe(1)
    expect(witness.run('follow', witness.verifierKey, '-').code).toBe(1)
  })
})

describe('the state of a witness', () => {
  it('the state reaches the disk before each signature, and no two signatures fork, whenever the process is killed', async () => {
    const key = follow().verifierKey
    const signed = new Map<number, Set<string>>()
    let entries = log.entries.slice(0, 0)
    const moments = fc.record({ replies: fc.integer({ min: 0, max: 15 }), delayMs: fc.integer({ min: 0, max: 20 }) })
    for (const { replies, delayMs } of fc.sample(moments, { numRuns: 30 })) {
      await witness.start()
      // Two views of the log compete for the same signatures, like the views that a lying operator would show.
      const views = ['one', 'other'].map((word) => viewOf(log, entries, word))
      const count = { replies: 0 }
      const requests = views.map((view) => signAll(view, entries.length, key, signed, count))
      const killed = (async () => {
        while (count.replies < replies) await pause(1)
        await pause(delayMs)
        await witness.stop('SIGKILL')
      })()
      await Promise.all([...requests, killed])
      const { size, note } = storedLog()
      expect(size).toBeGreaterThanOrEqual(Math.max(entries.length, ...signed.keys()))
      const chosen = views.find((view) => note === view.note(size))
      if (size > 0) expect(chosen).toBeDefined()
      entries = chosen?.entries.slice(0, size) ?? entries
    }
    const history = viewOf(log, entries, '')
    for (const [size, texts] of signed) expect([...texts]).toEqual([textOf(history.note(size))])
    expect(signed.size).toBeGreaterThan(20)
  })

  /** Returns a forged view of a log: these entries first, then ten entries that the log does not have. */
  function viewOf(one: TestLog, entries: readonly Buffer[], word: string): TestLog {
    const own = Array.from({ length: 10 }, (_, at) => `${word} ${at}`)
    const view = new TestLog(ORIGIN, [...entries, ...own])
    view.signers.splice(0, 1, ...one.signers)
    return view
  }

  /** Requests all signatures from a size on, until the process ends. Collects the signed texts by size. */
  async function signAll(
    view: TestLog,
    from: number,
    key: string,
    signed: Map<number, Set<string>>,
    count: { replies: number },
  ): Promise<void> {
    for (let size = from + 1; size <= view.entries.length; size++) {
      const reply = await witness.add(view.request(size - 1, size)).catch(() => null)
      count.replies += 1
      if (reply?.status !== 200) continue
      const text = textOf(view.note(size))
      expect(checkCosignature(key, reply.body, text)).not.toBeNull()
      signed.set(size, (signed.get(size) ?? new Set()).add(text))
    }
  }

  function storedLog(): { readonly size: number; readonly note: string } {
    const state = JSON.parse(readFileSync(file(states().at(-1) ?? ''), 'utf8')) as {
      logs: [string, { size: number; note: string }][]
    }
    return new Map(state.logs).get(ORIGIN) ?? { size: 0, note: '' }
  }

  it('only one of two processes continues to sign after their lock was removed', async () => {
    const first = await follow().start()
    const slow = first.port
    rmSync(file('lock'))
    await witness.start()
    // The two processes get different views of the log first.
    const requests = [
      { port: slow, view: viewOf(log, [], 'one') },
      { port: witness.port, view: viewOf(log, [], 'other') },
    ]
    const replies = requests.map(async ({ port, view }) => {
      const init = { method: 'POST', body: view.request(0, 5) }
      const status = await fetch(`http://127.0.0.1:${port}/add-checkpoint`, init).then(
        (one) => one.status,
        () => 0,
      )
      return { status, text: textOf(view.note(5)) }
    })
    const signed = (await Promise.all(replies)).filter(({ status }) => status === 200)
    expect(new Set(signed.map(({ text }) => text)).size).toBe(1)
  })

  it('a process whose state is far behind stops before it signs', async () => {
    const first = await follow().start()
    const slow = first.port
    rmSync(file('lock'))
    await witness.start()
    for (let size = 0; size < 12; size += 3)
      expect(await witness.add(log.request(size, size + 3))).toMatchObject({ status: 200 })
    const init = { method: 'POST', body: viewOf(log, [], 'fork').request(0, 9) }
    await expect(fetch(`http://127.0.0.1:${slow}/add-checkpoint`, init)).rejects.toThrow('fetch failed')
    expect(await witness.add(log.request(12, 15))).toMatchObject({ status: 200 })
  })

  it('when the disk is full, the state stays unchanged and the witness signs nothing', async () => {
    // Files are limited to 1,024 bytes. With this name the first state is small enough, and the next state is too
    // large.
    const origin = `trade.example/${'x'.repeat(420)}`
    log = new TestLog(origin, log.entries)
    witness.follow({ verifierKey: log.verifierKey, url: '-' })
    await witness.start([], 'ulimit -f 1; exec "$@"')
    const before = states()
    for (let attempt = 0; attempt < 5; attempt++) {
      const reply = await witness.add(log.request(0, 9))
      expect(reply.status).toBe(500)
      expect(reply.body).not.toContain('\u2014')
    }
    expect(states()).toEqual(before)
    expect(readdirSync(witness.folder).filter((name) => name.startsWith('draft-')).length).toBeLessThanOrEqual(1)
    await witness.stop()
    await witness.start()
    const other = new TestLog(origin, ['another beginning'])
    other.signers.splice(0, 1, ...log.signers)
    expect(await witness.add(other.request(0))).toMatchObject({ status: 200 })
    expect(await witness.add(log.request(0, 9))).toMatchObject({ status: 409 })
  })

  it('the witness refuses to sign when a newer signature exists, as after a restored copy of the folder', async () => {
    await follow().start()
    await witness.add(log.request(0, 5))
    await witness.stop()
    const copy = `${witness.folder}-copy`
    cpSync(witness.folder, copy, { recursive: true, filter: (name) => !name.endsWith('lock') })
    await witness.start()
    const { body: line } = await witness.add(log.request(5, 9))
    await witness.stop()
    rmSync(witness.folder, { recursive: true })
    cpSync(copy, witness.folder, { recursive: true })
    rmSync(copy, { recursive: true })
    await witness.start()
    const reply = await witness.add(log.request(5, 9) + line)
    expect(reply.status).toBe(500)
    expect(reply.body).not.toContain('\u2014')
    expect(await witness.findings()).toMatchObject([{ code: 'state' }])
  })

  it('the state consists of two files, however many sizes were cosigned', async () => {
    await follow().start()
    for (let size = 0; size < 12; size++) await witness.add(log.request(size, size + 1))
    expect(states()).toHaveLength(2)
  })
})
