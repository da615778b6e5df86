import { describe, expect, it } from 'vitest'
import { isFree, shareOf } from '#server/platform/cluster/lease-share.ts'

const node = (run: string, { name = run, roles = ['settle'] } = {}) => ({ run, name, roles, isOnBus: false })
const request = { names: ['s/0', 's/1', 's/2', 's/3', 's/4'], role: 'settle' }

describe('the share of a server', () => {
  it.each([
    { liveNodes: [], share: 5 },
    { liveNodes: [node('a')], share: 5 },
    { liveNodes: [node('a'), node('b')], share: 3 },
    { liveNodes: [node('a'), node('b'), node('c', { roles: ['jobs'] })], share: 3 },
    { liveNodes: ['a', 'b', 'c', 'd', 'e', 'f'].map((run) => node(run)), share: 1 },
  ])('is $share of five with the live servers $liveNodes', ({ liveNodes, share }) => {
    expect(shareOf(request, liveNodes)).toBe(share)
  })
})

describe('a lease', () => {
  const me = { run: 'b', name: 'host:1' }
  const dead = node('a', { name: 'host:1' })
  const row = (owner: string, isOver = false) => ({ lease: 's/0', owner, isOver })

  it('can be taken when no server has held it, or after it expired', () => {
    expect(isFree('s/0', { me, liveNodes: [], rows: [], isFirst: false })).toBe(true)
    expect(isFree('s/0', { me, liveNodes: [dead], rows: [row('a', true)], isFirst: false })).toBe(true)
  })

  it('cannot be taken from another live server, nor again by the server that holds it', () => {
    expect(isFree('s/0', { me, liveNodes: [node('c')], rows: [row('c')], isFirst: true })).toBe(false)
    expect(isFree('s/0', { me, liveNodes: [], rows: [row('b')], isFirst: true })).toBe(false)
  })

  it('can be taken from an earlier server with the same name, but only at the first attempt', () => {
    const facts = { me, liveNodes: [dead], rows: [row('a')] }
    expect(isFree('s/0', { ...facts, isFirst: true })).toBe(true)
    expect(isFree('s/0', { ...facts, isFirst: false })).toBe(false)
  })
})
