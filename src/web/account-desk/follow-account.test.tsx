import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Shared, followAccount } from '#web/account-desk/follow-account.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { signIn } from '#web/session/session.ts'

type Content = Readonly<Record<string, number>>

/** An account that devices read and write. */
class Account {
  version = 0
  content: Content | null = null
  writes = 0
  beforeWrite = () => {}

  read = () => Promise.resolve({ version: this.version, content: this.content })
  write = (version: number, content: Content) => {
    this.beforeWrite()
    if (version !== this.version)
      return Promise.reject(new CallFailure('conflict', { kind: 'refused', status: 409, code: 'desk_conflict' }))
    this.writes += 1
    this.version += 1
    this.content = content
    return Promise.resolve()
  }
}

/** A device with its copy of the content. */
class Device {
  content: Content | null
  readonly #listeners = new Set<() => void>()
  constructor(content: Content | null) {
    this.content = content
  }

  change(content: Content) {
    this.content = content
    for (const listener of this.#listeners) listener()
  }

  shared(account: Account): Shared<Content> {
    return {
      key: 'common',
      local: () => this.content,
      apply: (content) => this.change(content),
      empty: {},
      watch: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      join: (common, local, stored) => {
        const changed = Object.entries(local).filter(([name, value]) => value !== common?.[name])
        return common === null ? stored : { ...stored, ...Object.fromEntries(changed) }
      },
      read: account.read,
      write: account.write,
    }
  }
}

let account: Account
let stop = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  account = new Account()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

async function follow(device: Device, userId = 'alice') {
  stop()
  stop = followAccount(device.shared(account), userId)
  await vi.advanceTimersByTimeAsync(5_000)
}

describe('a device that synchronises with the account', () => {
  test('a device sends its content to the account, and receives the content of the account', async () => {
    await follow(new Device({ a: 1 }))
    expect(account.content).toEqual({ a: 1 })
    localStorage.clear()
    const fresh = new Device(null)
    await follow(fresh)
    expect(fresh.content).toEqual({ a: 1 })
    expect(account.writes).toBe(1)
  })

  test('a device sends a change once, two seconds after the change', async () => {
    const device = new Device({ a: 1 })
    await follow(device)
    device.change({ a: 2 })
    device.change({ a: 3 })
    await vi.advanceTimersByTimeAsync(1_900)
    expect(account.content).toEqual({ a: 1 })
    await vi.advanceTimersByTimeAsync(200)
    expect(account.content).toEqual({ a: 3 })
    expect(account.writes).toBe(2)
  })

  test('synchronising loses no change of either device', async () => {
    const device = new Device({ a: 1, b: 1 })
    await follow(device)
    device.change({ a: 2, b: 1 })
    // Another device writes just before this device does.
    account.beforeWrite = () => {
      account.beforeWrite = () => {}
      account.version += 1
      account.content = { a: 1, b: 7 }
    }
    await vi.advanceTimersByTimeAsync(2_100)
    expect(account.content).toEqual({ a: 2, b: 7 })
    expect(device.content).toEqual({ a: 2, b: 7 })
  })

  test('a device sends a change that was made without a network at the next start', async () => {
    const device = new Device({ a: 1 })
    await follow(device)
    account.beforeWrite = () => {
      throw new CallFailure('offline', { kind: 'network', status: 0, code: 'network' })
    }
    device.change({ a: 2 })
    await vi.advanceTimersByTimeAsync(2_100)
    expect(account.content).toEqual({ a: 1 })
    account.beforeWrite = () => {}
    await follow(device)
    expect(account.content).toEqual({ a: 2 })
  })

  test('a device whose first request got no reply receives the content of the account soon after', async () => {
    const read = account.read
    account.read = () => Promise.reject(new CallFailure('offline', { kind: 'network', status: 0, code: 'network' }))
    Object.assign(account, { version: 1, content: { a: 5 } })
    const device = new Device(null)
    const shared = device.shared(account)
    stop = followAccount({ ...shared, read: () => account.read() }, 'alice')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(device.content).toBeNull()
    account.read = read
    await vi.advanceTimersByTimeAsync(10_000)
    expect(device.content).toEqual({ a: 5 })
  })

  test('a device sends a change that was made just before it stopped following', async () => {
    signIn({ token: 'token', user: aUser({ id: 'alice' }) })
    const device = new Device({ a: 1 })
    await follow(device)
    device.change({ a: 2 })
    await vi.advanceTimersByTimeAsync(500)
    stop()
    await vi.advanceTimersByTimeAsync(100)
    expect(account.content).toEqual({ a: 2 })
    stop()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(account.writes).toBe(2)
  })

  test('a change that waits when the user logs out is not sent', async () => {
    signIn({ token: 'token', user: aUser({ id: 'alice' }) })
    const device = new Device({ a: 1 })
    await follow(device)
    device.change({ a: 2 })
    signIn({ token: 'other', user: aUser({ id: 'bob' }) })
    stop()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(account.content).toEqual({ a: 1 })
  })

  test('a device sends nothing after it stopped following without a change', async () => {
    const device = new Device({ a: 1 })
    await follow(device)
    stop()
    device.change({ a: 2 })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(account.content).toEqual({ a: 1 })
  })

  test.each([429, 408])('a device sends a change again that was refused with status %i', async (status) => {
    const device = new Device({ a: 1 })
    await follow(device)
    account.beforeWrite = () => {
      account.beforeWrite = () => {}
      throw new CallFailure('later', { kind: 'refused', status, code: 'too_many_requests' })
    }
    device.change({ a: 2 })
    await vi.advanceTimersByTimeAsync(5_000)
    expect(account.content).toEqual({ a: 1 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(account.content).toEqual({ a: 2 })
  })

  test('a device sends nothing of one user to another user', async () => {
    const device = new Device({ a: 1 })
    await follow(device)
    account = new Account()
    await follow(device, 'bob')
    expect(account.content ?? {}).toEqual({})
    expect(device.content).toEqual({})
  })
})
