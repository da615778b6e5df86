import { expect, it } from 'vitest'
import { nextState, type WorkerEvent, type WorkerState } from '#server/proof/receipts/worker-state.ts'

const NOTHING = { hasWork: false, hasFullTree: false }
const SOME = { hasWork: true, hasFullTree: false }
const MUCH = { hasWork: true, hasFullTree: true }

it.each<[WorkerState, WorkerEvent, typeof SOME, WorkerState]>([
  ['idle', 'work', NOTHING, 'idle'],
  ['idle', 'work', SOME, 'gathering'],
  ['idle', 'work', MUCH, 'making'],
  ['gathering', 'work', SOME, 'gathering'],
  ['gathering', 'work', MUCH, 'making'],
  ['gathering', 'due', SOME, 'making'],
  ['making', 'work', MUCH, 'making'],
  ['making', 'done', NOTHING, 'idle'],
  ['making', 'done', SOME, 'gathering'],
  ['making', 'done', MUCH, 'making'],
  ['making', 'failed', MUCH, 'retrying'],
  ['retrying', 'work', MUCH, 'retrying'],
  ['retrying', 'due', SOME, 'making'],
  ['retrying', 'demand', SOME, 'making'],
])('a worker that is %s changes on "%s" with %o to %s', (state, event, load, next) => {
  expect(nextState(state, event, load)).toBe(next)
})

it.each<WorkerEvent>(['work', 'due', 'demand', 'done', 'failed'])('a stopping worker stays so with "%s"', (event) => {
  expect(nextState('making', 'stop', SOME)).toBe('stopping')
  expect(nextState('stopping', event, MUCH)).toBe('stopping')
})
