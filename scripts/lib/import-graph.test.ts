import { expect, it } from 'vitest'
import { findCycles, folderGraph, importsOf } from './import-graph.ts'

const graph = (imports: Record<string, string[]>) =>
  new Map(Object.entries(imports).map(([file, others]) => [file, new Set(others)]))

it('reads every kind of import of the project, by alias and by path, and no package', () => {
  const text = `
    import { a } from '#server/a.ts'
    import type { B } from '#core/b.ts'
    export { c } from './c.ts'
    export * from '../d.ts'
    import './e.ts'
    import fastify from 'fastify'
    const f = import('#web/f.tsx')
    type G = import('#test/g.ts').G
  `
  expect([...importsOf('scripts/lib/here.ts', text)]).toEqual([
    'src/server/a.ts',
    'src/core/b.ts',
    'scripts/lib/c.ts',
    'scripts/d.ts',
    'scripts/lib/e.ts',
    'src/web/f.tsx',
    'test/g.ts',
  ])
})

it('finds circles of two and of more, each once', () => {
  const imports = graph({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a', 'd', 'outside'] })
  expect(findCycles(imports)).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
  ])
})

it('finds none where files import each other in one direction', () => {
  expect(findCycles(graph({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([])
})

it('finds a circle of folders that no two files make', () => {
  const imports = graph({ 'x/one.ts': ['y/one.ts'], 'y/two.ts': ['x/two.ts'], 'x/two.ts': ['x/three.ts'] })
  expect(findCycles(imports)).toEqual([])
  expect(findCycles(folderGraph(imports))).toEqual([['x', 'y']])
})
