import { expect, it } from 'vitest'
import { findCycles, folderGraph, importsOf } from './import-graph.ts'

const graph = (imports: Record<string, string[]>) =>
  new Map(Object.entries(imports).map(([file, others]) => [file, new Set(others)]))

it('readImportGraph reads all imports of the project, by alias and by path, but no packages', () => {
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

it('findCycles finds cycles of two and more files, each once', () => {
  const imports = graph({ a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a', 'd', 'outside'] })
  expect(findCycles(imports)).toEqual([
    ['d', 'e'],
    ['a', 'b', 'c'],
  ])
})

it('findCycles finds none when imports have one direction', () => {
  expect(findCycles(graph({ a: ['b', 'c'], b: ['c'], c: [] }))).toEqual([])
})

it('findCycles finds a cycle of folders even when no files form a cycle', () => {
  const imports = graph({ 'x/one.ts': ['y/one.ts'], 'y/two.ts': ['x/two.ts'], 'x/two.ts': ['x/three.ts'] })
  expect(findCycles(imports)).toEqual([])
  expect(findCycles(folderGraph(imports))).toEqual([['x', 'y']])
})
