import { beforeEach, expect, test } from 'vitest'
import { createKey, genesisAfter, noteOf, ORIGIN, serveRegister, treeOf } from '#test/support/fake-register.ts'
import { lookAtRegister } from '#web/register/look-at-register.ts'
import { forgetSeenStates, seenStates } from '#web/register/seen-states.ts'

const SECOND = `${ORIGIN}/2`

beforeEach(forgetSeenStates)

/** Shows the first register to the browser, and then the second register with this first entry. */
async function beginAgain(first: string, size = 2): Promise<void> {
  await serveRegister(treeOf('entry', 8))
  await lookAtRegister()
  await serveRegister(treeOf('entry', size, first), { origin: SECOND })
  await lookAtRegister()
}

test.each([1, 2, 200])(
  'A39: a register that was started again, with %i entries, is distinguished from a forged register',
  async (size) => {
    const before = await noteOf(treeOf('entry', 5))
    await beginAgain(genesisAfter(before), size)
    expect(seenStates()).toMatchObject({ alarm: { kind: 'again', older: await noteOf(treeOf('entry', 8)) } })
    expect(seenStates().notes).toHaveLength(1)
  },
)

test('A39: a register that was started again is compared like the first register, and a forged one raises the alarm', async () => {
  const first = genesisAfter(await noteOf(treeOf('entry', 8)))
  await beginAgain(first)
  await serveRegister(treeOf('entry', 30, first), { origin: SECOND })
  await lookAtRegister()
  expect(seenStates()).toMatchObject({ alarm: { kind: 'again' }, notes: [expect.anything(), expect.anything()] })
  await serveRegister(treeOf('other', 40, first), { origin: SECOND })
  await lookAtRegister()
  expect(seenStates()).toMatchObject({ alarm: { kind: 'conflict' }, notes: [expect.anything(), expect.anything()] })
})

test('A39: attack: after the second register, the first register is shown again: this raises the alarm', async () => {
  await beginAgain(genesisAfter(await noteOf(treeOf('entry', 8))))
  await serveRegister(treeOf('entry', 9))
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
})

test.each([
  ['no first entry of a register', async () => 'entry 0'],
  ['a first entry that names no state of the first register', async () => genesisAfter(null)],
  ['a first entry of another register', async () => genesisAfter(await noteOf(treeOf('entry', 8)), `${ORIGIN}/3`)],
  ['another state of the same size', async () => genesisAfter(await noteOf(treeOf('other', 8)))],
  ['a state of a later register', async () => genesisAfter(await noteOf(treeOf('entry', 8), SECOND))],
  ['a state of another site', async () => genesisAfter(await noteOf(treeOf('entry', 8), 'other.example/register'))],
  [
    'a state that another key signed',
    async () => genesisAfter(await noteOf(treeOf('entry', 8), ORIGIN, [createKey()])),
  ],
])('A39: attack: a second register with %s raises the alarm', async (_, firstOf) => {
  await beginAgain(await firstOf())
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
})

test('A39: attack: a second register that another key signed, or whose first entry is not in its state, raises the alarm', async () => {
  const first = genesisAfter(await noteOf(treeOf('entry', 8)))
  await serveRegister(treeOf('entry', 8))
  await lookAtRegister()
  await serveRegister(treeOf('entry', 2, first), { origin: SECOND, keys: [createKey()] })
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
  forgetSeenStates()
  await serveRegister(treeOf('entry', 8))
  await lookAtRegister()
  await serveRegister({ ...treeOf('entry', 2), first }, { origin: SECOND })
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
})
