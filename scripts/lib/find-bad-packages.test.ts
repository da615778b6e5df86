import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findBadPackages, type LockedPackage } from './find-bad-packages.ts'

type Locked = LockedPackage & { optional?: boolean; engines?: { node?: string } }
/* oxlint-disable typescript/no-unsafe-type-assertion -- the files that npm reads and writes */
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}
const ours = JSON.parse(readFileSync('package.json', 'utf8')) as {
  allowScripts: Record<string, boolean>
  engines: { node: string }
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

const GOOD: LockedPackage = { version: '1.0.0', license: 'MIT', integrity: `sha512-${'a'.repeat(86)}==` }
const problemsWith = (change: LockedPackage, name = 'good') =>
  findBadPackages({ '': {}, [`node_modules/${name}`]: { ...GOOD, ...change } }, { denied: false })

it('AT48: the package check accepts a sound package and all packages of the project', () => {
  expect(problemsWith({})).toEqual([])
  expect(findBadPackages(lock.packages, ours.allowScripts)).toEqual([])
})

it('A17: allowScripts lists exactly the packages with an install script', () => {
  const withScript = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(Object.keys(ours.allowScripts)).toEqual(
    withScript.map(([path]) => path.replace('node_modules/', '')).toSorted(),
  )
  expect(problemsWith({ hasInstallScript: true }, 'denied')).toEqual([])
})

it('the package check accepts the licences of word lists only for development packages', () => {
  expect(problemsWith({ license: 'LGPL-3.0', dev: true })).toEqual([])
  expect(problemsWith({ license: 'LGPL-3.0' })).toHaveLength(1)
})

it('A17: no required package needs a newer Node than the oldest supported one', () => {
  expect(ours.engines.node).toBe('>=20.19.0')
  // Each alternative of a range starts with its minimum: `>= 18`, `^20.19.0 || >=22.12.0`.
  const wantsNewer = ({ engines }: Locked) =>
    !(engines?.node ?? '0').split('||').some((range) => Number(/\d+/.exec(range)?.[0] ?? 0) <= 20)
  const tooNew = Object.entries(lock.packages).filter(([, locked]) => locked.optional !== true && wantsNewer(locked))
  expect(tooNew.map(([path, { engines }]) => `${path} ${engines?.node}`)).toEqual([])
})

it.each<[string, LockedPackage, string?]>([
  ['another host', { resolved: 'https://evil.example/good-1.0.0.tgz' }],
  ['a repository', { resolved: 'git+ssh://git@evil.example/good.git#main' }],
  ['a folder', { link: true }],
  ['no checksum', { integrity: undefined }],
  ['a weak checksum', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }],
  ['a script', { hasInstallScript: true }],
  ['a version range instead of a version', { version: '^1.0.0' }],
  ['no licence', { license: undefined }],
  ['an unknown licence', { license: 'MIT AND SSPL-1.0' }],
  ['a version known to be malicious', { version: '3.3.6' }, 'event-stream'],
])('AT48: the package check refuses %s', (_, change, name) => {
  expect(problemsWith(change, name)).toHaveLength(1)
})
