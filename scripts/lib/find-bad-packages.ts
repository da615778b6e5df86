/** An entry of `package-lock.json`. */
export interface LockedPackage {
  readonly version?: string | undefined
  readonly integrity?: string | undefined
  readonly resolved?: string | undefined
  readonly link?: boolean | undefined
  readonly license?: string | undefined
  readonly hasInstallScript?: boolean | undefined
  readonly dev?: boolean | undefined
}

/** Licences of packages that we may ship unchanged. CC-BY-4.0 is the licence of a table of browsers. */
const LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
])

/** Licences of word lists that the spelling check reads. The product does not contain them. */
const DEVELOPMENT_LICENCES: ReadonlySet<string> = new Set(['CC BY-SA 4.0', 'LGPL-3.0', 'WTFPL'])

/** Versions that attackers published in the name of the authors, or that are harmful. */
const KNOWN_BAD: ReadonlySet<string> = new Set(
  `
    event-stream@3.3.6 flatmap-stream@0.1.1 eslint-scope@3.7.2 node-ipc@10.1.1 node-ipc@10.1.2
    ua-parser-js@0.7.29 ua-parser-js@0.8.0 ua-parser-js@1.0.0 coa@2.0.3 coa@2.0.4 rc@1.2.9 rc@1.3.9
    colors@1.4.1 colors@1.4.2 colors@1.4.44-liberty-2 faker@6.6.6 @solana/web3.js@1.95.6 @solana/web3.js@1.95.7
    chalk@5.6.1 debug@4.4.2 ansi-styles@6.2.2 strip-ansi@7.1.1 ansi-regex@6.2.1 color-convert@3.1.1
    color-name@2.0.1 color-string@2.1.1 supports-color@10.2.1 wrap-ansi@9.0.1 slice-ansi@7.1.1
    is-arrayish@0.3.3 error-ex@1.3.3 simple-swizzle@0.2.3 backslash@0.2.1 has-ansi@6.0.1 chalk-template@1.1.1
    supports-hyperlinks@4.1.1 is@3.3.1 eslint-config-prettier@8.10.1 eslint-config-prettier@9.1.1
    eslint-config-prettier@10.1.6 eslint-config-prettier@10.1.7 synckit@0.11.9 @pkgr/core@0.2.8
    napi-postinstall@0.3.1 @ctrl/tinycolor@4.1.1 @ctrl/tinycolor@4.1.2 @rspack/core@1.1.7 got-fetch@5.1.11
    is@5.0.0
  `
    .trim()
    .split(/\s+/),
)

/**
 * Describes the problems of the packages of a lockfile: another origin than the registry, no sha512 sum, an undecided
 * install script, a licence that is not on the list, or a version known to be bad.
 */
export function findBadPackages(
  packages: Readonly<Record<string, LockedPackage>>,
  allowScripts: Readonly<Record<string, boolean>>,
): string[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, locked]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 13)
      return problemsOf(name, locked, Object.hasOwn(allowScripts, name))
    })
}

function problemsOf(name: string, { version = '', ...locked }: LockedPackage, isScriptDecided: boolean): string[] {
  const problems: string[] = []
  if (locked.resolved !== undefined || locked.link === true) problems.push('does not come from the registry')
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(locked.integrity ?? '')) problems.push('has no SHA-512 hash')
  if (locked.hasInstallScript === true && !isScriptDecided) problems.push('runs a script when it is installed')
  if (!/^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/.test(version)) problems.push('has no exact version')
  if (KNOWN_BAD.has(`${name}@${version}`)) problems.push('is known to be malicious')
  const licences = (locked.license ?? 'none').split(/ (?:AND|OR|and|or) /).map((text) => text.replace(/[()]/g, ''))
  const unknown = licences.filter(
    (licence) => !LICENCES.has(licence) && !(locked.dev && DEVELOPMENT_LICENCES.has(licence)),
  )
  if (unknown.length > 0) problems.push(`has a licence that is not on the list: ${unknown.join(', ')}`)
  return problems.map((problem) => `${name}@${version} ${problem}`)
}
