import { beforeEach, expect, test, vi } from 'vitest'
import { createKey, noteOf, ORIGIN, serveRegister, treeOf } from '#test/support/fake-register.ts'

beforeEach(() => vi.resetModules())

/** Loads the code as another tab does: with its own memory, and the storage of the browser. */
async function openTab() {
  vi.resetModules()
  const states = await import('#web/register/seen-states.ts')
  const { lookAtRegister } = await import('#web/register/look-at-register.ts')
  const { keepSeenStates } = await import('#web/register/keep-seen-states.ts')
  return { ...states, keepSeenStates, look: lookAtRegister }
}

/** Two tabs that have seen the same state of the register. */
async function openTwo() {
  await serveRegister(treeOf('entry', 8))
  await (await openTab()).look()
  return [await openTab(), await openTab()] as const
}

test('A39: attack: a tab that was shown the true register does not delete the alarm and the proof of another tab', async () => {
  const [one, other] = await openTwo()
  await serveRegister(treeOf('other', 9))
  await one.look()
  const { alarm } = one.seenStates()
  expect(alarm).toMatchObject({ kind: 'conflict' })
  await serveRegister(treeOf('entry', 10))
  await other.look()
  expect((await openTab()).seenStates().alarm).toEqual(alarm)
  expect(other.seenStates().alarm).toEqual(alarm)
})

test('A39: a tab keeps the newer states that another tab has stored, also when both write at the same time', async () => {
  const [one, other] = await openTwo()
  const stale = other.seenStates()
  await serveRegister(treeOf('entry', 30))
  await one.look()
  other.keepSeenStates({ ...stale, lastLookMs: 1, keys: ['another'] })
  const { notes, keys, lastLookMs } = (await openTab()).seenStates()
  expect(notes).toEqual([await noteOf(treeOf('entry', 8)), await noteOf(treeOf('entry', 30))])
  expect(keys).toHaveLength(2)
  expect(lastLookMs).toBeGreaterThan(1)
  await serveRegister(treeOf('entry', 20))
  await other.look()
  expect(other.seenStates().alarm).toMatchObject({ kind: 'conflict' })
})

test('A39: attack: two tabs that are shown two states of one size at the same time raise the alarm', async () => {
  const [one, other] = await openTwo()
  const stale = other.seenStates()
  const [older, newer] = [await noteOf(treeOf('entry', 9)), await noteOf(treeOf('other', 9))]
  one.keepSeenStates({ ...stale, notes: [...stale.notes, older] })
  other.keepSeenStates({ ...stale, notes: [...stale.notes, newer] })
  expect(other.seenStates().alarm).toMatchObject({ kind: 'conflict', older, newer })
})

test('A39: attack: a tab that is shown another register than a tab beside it raises the alarm', async () => {
  const [one, other] = await openTwo()
  const stale = other.seenStates()
  const forged = await noteOf(treeOf('other', 15))
  const onProof = () => one.keepSeenStates({ ...stale, notes: [...stale.notes, forged] })
  await serveRegister(treeOf('entry', 20), { onProof })
  await other.look()
  expect(other.seenStates().alarm).toMatchObject({ kind: 'conflict', older: forged })
})

test('A39: a tab that still has the first register does not bring it back after another tab has seen the second', async () => {
  const [one, other] = await openTwo()
  const stale = other.seenStates()
  const note = await noteOf(treeOf('entry', 2), `${ORIGIN}/2`)
  one.keepSeenStates({ ...stale, notes: [note] })
  other.keepSeenStates(stale)
  expect((await openTab()).seenStates().notes).toEqual([note])
})

test('A39: an open tab shows the alarm that another tab raises', async () => {
  const [one, other] = await openTwo()
  await serveRegister(treeOf('other', 9), { keys: [createKey()] })
  await one.look()
  globalThis.dispatchEvent(new StorageEvent('storage', { key: 'register_seen' }))
  expect(other.seenStates().alarm).toEqual(one.seenStates().alarm)
})

test('A39: the reset of a demo deletes all states', async () => {
  const [one, other] = await openTwo()
  one.forgetSeenStates()
  globalThis.dispatchEvent(new StorageEvent('storage', { key: 'register_seen' }))
  expect(other.seenStates()).toMatchObject({ notes: [], alarm: null })
})
