import { describe, expect, it } from 'vitest'
import { type Asker, BusyError, createFairQueue } from '#server/platform/limits/fair-queue.ts'

const stranger = (key: string): Asker => ({ kind: 'stranger', key })
const user = (key: string): Asker => ({ kind: 'user', key })

/** A queue whose work ends on command, and the order in which pieces started. */
function controlled(options: { perAsker?: number; perKind?: number } = {}) {
  const queue = createFairQueue({ atOnce: 1, perAsker: 10, perKind: 20, ...options })
  const started: string[] = []
  const ends: (() => void)[] = []
  const results = new Map<string, Promise<unknown>>()
  return {
    started,
    ask(asker: Asker, name: string) {
      const result = queue(asker, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
      results.set(
        name,
        result.catch((error: unknown) => error),
      )
    },
    async finishAll() {
      for (;;) {
        await Promise.resolve()
        const end = ends.shift()
        if (end === undefined) {
          await new Promise((resolve) => setImmediate(resolve))
          if (ends.length === 0) return
          continue
        }
        end()
      }
    },
    result: (name: string) => results.get(name),
  }
}

describe('A3: the queue of slow hashes', () => {
  it('gives each network its turn, however much one of them requests', async () => {
    const queue = controlled()
    for (let n = 0; n < 6; n += 1) queue.ask(stranger('flood'), `flood ${n}`)
    queue.ask(stranger('other'), 'other')
    await queue.finishAll()
    expect(queue.started.slice(0, 3)).toEqual(['flood 0', 'flood 1', 'other'])
    expect(queue.started).toHaveLength(7)
  })

  it('gives logged-in users every second turn', async () => {
    const queue = controlled()
    for (let n = 0; n < 5; n += 1) queue.ask(stranger(`network ${n}`), `stranger ${n}`)
    for (let n = 0; n < 2; n += 1) queue.ask(user(`user ${n}`), `user ${n}`)
    await queue.finishAll()
    expect(queue.started.slice(0, 5)).toEqual(['stranger 0', 'user 0', 'stranger 1', 'user 1', 'stranger 2'])
  })

  it('refuses only requests of a requester who has the maximum number of waiting requests', async () => {
    const queue = controlled({ perAsker: 2 })
    for (let n = 0; n < 5; n += 1) queue.ask(stranger('flood'), `flood ${n}`)
    queue.ask(stranger('other'), 'other')
    await queue.finishAll()
    expect(await queue.result('flood 3')).toBeInstanceOf(BusyError)
    expect(await queue.result('flood 4')).toBeInstanceOf(BusyError)
    expect(queue.started).toEqual(['flood 0', 'flood 1', 'other', 'flood 2'])
  })

  it('when full, drops a request of the requester with the most waiting requests to admit a new requester', async () => {
    const queue = controlled({ perAsker: 4, perKind: 4 })
    for (let n = 0; n < 5; n += 1) queue.ask(stranger('flood'), `flood ${n}`)
    queue.ask(stranger('other'), 'other')
    await queue.finishAll()
    expect(await queue.result('flood 4')).toBeInstanceOf(BusyError)
    expect(queue.started).toEqual(['flood 0', 'flood 1', 'other', 'flood 2', 'flood 3'])
  })

  it('when full, refuses the newest request if every requester has only one waiting request', async () => {
    const queue = controlled({ perKind: 3 })
    for (let n = 0; n < 5; n += 1) queue.ask(stranger(`network ${n}`), `stranger ${n}`)
    await queue.finishAll()
    expect(await queue.result('stranger 4')).toBeInstanceOf(BusyError)
    expect(queue.started).toHaveLength(4)
  })

  it('continues after work that failed', async () => {
    const queue = createFairQueue({ atOnce: 1, perAsker: 5, perKind: 5 })
    const failed = queue(stranger('a'), () => Promise.reject(new Error('no')))
    const after = queue(stranger('a'), () => Promise.resolve('yes'))
    await expect(failed).rejects.toThrow('no')
    expect(await after).toBe('yes')
  })
})
