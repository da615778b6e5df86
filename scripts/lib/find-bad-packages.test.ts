import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findBadPackages, type LockedPackage } from './find-bad-packages.ts'

const GOOD: LockedPackage = { version: '1.0.0', license: 'MIT', integrity: `sha512-${'a'.repeat(86)}==` }
const problemsWith = (change: LockedPackage, name = 'good') =>
  findBadPackages({ '': {}, [`node_modules/${name}`]: { ...GOOD, ...change } })

it('attack 48: finds nothing wrong with a sound package, nor with ours', () => {
  expect(problemsWith({})).toEqual([])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that npm writes
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockedPackage> }
  expect(findBadPackages(lock.packages)).toEqual([])
})

it.each<[string, LockedPackage, string?]>([
  ['another host', { resolved: 'https://evil.example/good-1.0.0.tgz' }],
  ['a repository', { resolved: 'git+ssh://git@evil.example/good.git#main' }],
  ['a folder', { link: true }],
  ['no sum', { integrity: undefined }],
  ['a weak sum', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ['a script', { hasInstallScript: true }],
  ['a range for a version', { version: '^1.0.0' }],
  ['no licence', { license: undefined }],
  ['a licence that is none of those we know', { license: 'MIT AND SSPL-1.0' }],
  ['a version known to be bad', { version: '3.3.6' }, 'event-stream'],
])('attack 48: refuses %s', (_, change, name) => {
  expect(problemsWith(change, name)).toHaveLength(1)
})
