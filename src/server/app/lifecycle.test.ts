import { describe, expect, it } from 'vitest'
import { Lifecycle } from '#server/app/lifecycle.ts'
import { createTestApp } from '#test/support/test-app.ts'
import { quiet } from '#test/support/quiet-log.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

describe('A25: the opened parts of a server', () => {
  it('A25: are closed once in reverse order, and each part that fails to close is logged and returned', async () => {
    const lines: object[] = []
    const lifecycle = new Lifecycle({ error: (facts, message) => void lines.push({ ...facts, message }) })
    const closed: string[] = []
    for (const part of ['first', 'second', 'third', 'fourth']) {
      lifecycle.opened(part, async () => {
        closed.push(part)
        await Promise.resolve()
        if (part === 'second' || part === 'fourth') throw new Error(`no ${part}`)
      })
    }
    const failed = await lifecycle.closeAll()
    expect(closed).toEqual(['fourth', 'third', 'second', 'first'])
    expect(failed).toEqual(['fourth', 'second'])
    expect(lines).toMatchObject([{ part: 'fourth', message: 'cannot close a part of the server' }, { part: 'second' }])
    expect(await lifecycle.closeAll()).toBe(failed)
    expect(closed).toHaveLength(4)
  })

  it('A25: are closed too when they are opened during the stop', async () => {
    const lifecycle = new Lifecycle(quiet)
    const closed: string[] = []
    await lifecycle.closeAll()
    expect(() => lifecycle.opened('late', () => void closed.push('late'))).toThrow('stopped before it had started')
    await lifecycle.closeAll()
    expect(closed).toEqual(['late'])
  })
})

/** Records which parts are opened and closed. Throws at each close, or after one part was opened. */
class FailingLifecycle extends Lifecycle {
  readonly openedParts: string[] = []
  readonly closedParts: string[] = []
  readonly #failsAt: 'each close' | { readonly opening: string }

  constructor(failsAt: 'each close' | { readonly opening: string }) {
    super(quiet)
    this.#failsAt = failsAt
  }

  override opened(part: string, close: () => Promise<void> | void): void {
    this.openedParts.push(part)
    super.opened(part, async () => {
      this.closedParts.push(part)
      await close()
      if (this.#failsAt === 'each close') throw new Error(`${part} could not be closed`)
    })
    if (typeof this.#failsAt === 'object' && this.#failsAt.opening === part) {
      throw new Error(`${part} could not be opened`)
    }
  }
}

describe('A25: the whole server', () => {
  const database = useTestDatabase({ emptied: 'once' })
  const environment = { FAIRWICK_METRICS_PORT: '0' }

  it('A25: closes every part and names each, even when all of them fail to stop', async () => {
    const lifecycle = new FailingLifecycle('each close')
    const app = await createTestApp(database, { lifecycle, environment })
    await app.start()
    const ops = app.opsAddress() ?? ''
    await expect(app.stop()).rejects.toThrow(`cannot close: ${lifecycle.closedParts.join(', ')}`)
    expect(lifecycle.closedParts).toEqual(lifecycle.openedParts.toReversed())
    expect(lifecycle.openedParts).toEqual([
      'database',
      'fault watch',
      'metrics',
      'bus',
      'leases',
      'prices',
      'reset codes',
      'calls',
      'connection watch',
      'sockets',
      'relay',
      'register',
      'receipts',
      'engine',
      'clocks',
      'late evidence',
      'records',
      'market times',
      'sales',
      'price alerts',
      'jobs',
    ])
    expect(app.http.server.listening).toBe(false)
    await expect(fetch(`${ops}/healthz`)).rejects.toThrow('fetch failed')
    expect(app.ctx.clock.pendingTimers).toBe(0)
  })

  it.each(['metrics', 'sockets', 'receipts', 'jobs'])(
    'A25: closes every opened part when the start fails at %s',
    async (part) => {
      const lifecycle = new FailingLifecycle({ opening: part })
      const start = async () => {
        const app = await createTestApp(database, { lifecycle, environment })
        await app.start()
      }
      await expect(start()).rejects.toThrow(`${part} could not be opened`)
      expect(lifecycle.openedParts.at(-1)).toBe(part)
      expect(lifecycle.closedParts).toEqual(lifecycle.openedParts.toReversed())
    },
  )
})
