import { expect, it } from 'vitest'
import { withNotReached } from '#server/operator-cli/not-reached.ts'

const LINES = ['a line']

it('AC1: a command that changed something says that a server with another data folder still applies the change', () => {
  const { exitCode, lines } = withNotReached({ exitCode: 0, lines: LINES }, { effect: 'changes', servers: 1 })
  expect([exitCode, lines[0], lines.length]).toEqual([0, 'a line', 2])
  expect(lines[1]).toMatch(/settings, markets and texts within 15 seconds/)
})

it.each([
  ['refused', 1, 'changes', 1],
  ['that could not run', 3, 'changes', 1],
  ['that only reads', 0, 'looks', 1],
  ['without a running server', 0, 'changes', 0],
] as const)('AC1: a command %s says nothing of a server', (_, exitCode, effect, servers) => {
  expect(withNotReached({ exitCode, lines: LINES }, { effect, servers })).toEqual({ exitCode, lines: LINES })
})
