import { expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { STRANGER_LIMITS } from '#server/platform/limits/limits.ts'
import { createStrangerGate } from '#server/platform/http/stranger-gate.ts'

const NOW: Instant = instant(1_800_000_000_000)
const { reset } = STRANGER_LIMITS
const gate = (known: readonly string[] = []) => createStrangerGate((device) => Promise.resolve(known.includes(device)))
type Gate = ReturnType<typeof gate>
const knock = (take: Gate, address: string, device: string | null = null, now = NOW) =>
  take(calls.forgetPassword, { address, device, owner: 'me@example.com' }, now)
/** Sends `times` calls, and returns how many passed. */
async function passed(take: Gate, times: number, addressOf: (nth: number) => string): Promise<number> {
  let count = 0
  for (let nth = 0; nth < times; nth += 1) if ((await knock(take, addressOf(nth))) === 0) count += 1
  return count
}

it('A9: all addresses of one /64 together have the limit of one network', async () => {
  expect(await passed(gate(), 100, (nth) => `2001:db8:1:2::${nth}`)).toBe(reset.network.burst)
})

it('A9: all /64 networks of one /48 together have four times the limit of one network', async () => {
  expect(await passed(gate(), 400, (nth) => `2001:db8:1:${nth}::1`)).toBe(reset.site.burst)
})

it('A9: all networks together have one more limit', async () => {
  expect(await passed(gate(), 800, (nth) => `198.51.${Math.floor(nth / 200)}.${nth % 200}`)).toBe(reset.total.burst)
})

it('A3: a known device may still call when the limit of its network is used up', async () => {
  const take = gate(['mine'])
  await passed(take, 100, () => '192.0.2.1')
  expect(await knock(take, '192.0.2.1')).toBe(5)
  expect(await knock(take, '192.0.2.1', 'a guess')).toBe(5)
  expect(await knock(take, '192.0.2.1', 'mine')).toBe(0)
})

it('A3: a call that the limit of its network refuses does not count towards the total limit', async () => {
  const take = gate()
  await passed(take, 2_000, () => '192.0.2.1')
  expect(await passed(take, 100, (nth) => `198.51.100.${nth}`)).toBe(100)
})

it('A3: each group of calls has separate counters, and calls without a limit are not counted', async () => {
  const take = gate()
  await passed(take, 100, () => '192.0.2.1')
  const caller = { address: '192.0.2.1', device: null, owner: null }
  expect(await take(calls.login, caller, NOW)).toBe(0)
  for (let nth = 0; nth < 500; nth += 1) expect(await take(calls.homeContent, caller, NOW)).toBe(0)
})

it('A3: accepts calls again at the rate of the limit', async () => {
  const take = gate()
  await passed(take, 100, () => '192.0.2.1')
  expect(await knock(take, '192.0.2.1', null, instant(NOW + 4_000))).toBe(1)
  expect(await knock(take, '192.0.2.1', null, instant(NOW + 5_000))).toBe(0)
})
