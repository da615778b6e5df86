import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'
import { Stop, step } from './console-output.mjs'

const OLDEST_POSTGRES = 15
const DEBIAN_POSTGRES = '/usr/lib/postgresql'
const CHROMIUMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const LIBRARIES = '/usr/lib'
const FONTS = '/usr/share/fonts'

/** System programs that the tests need, and the Debian packages that contain them. */
const NEEDS = {
  browser: {
    what: 'Chromium',
    debian: 'chromium-headless-shell',
    isThere: () => isProgram(findChromium()),
  },
  firefox: {
    what: 'Firefox ESR',
    debian: 'firefox-esr',
    isThere: () => isProgram(findFirefox()),
  },
  fonts: { what: 'fonts for the browser', debian: 'fonts-dejavu-core', isThere: hasFonts },
  postgres: {
    what: `PostgreSQL ${OLDEST_POSTGRES} or newer (the server)`,
    debian: 'postgresql',
    isThere: () => findPostgres() !== undefined,
  },
  python: {
    what: 'Python 3.8 or newer (for the programs of the documentation)',
    debian: 'python3',
    isThere: () => isProgram('python3'),
  },
  faketime: {
    what: 'libfaketime (for the clock of a database)',
    debian: 'libfaketime',
    isThere: () => findFaketime() !== undefined,
  },
  webkit: { what: 'WebKitGTK', debian: 'webkit2gtk-driver', isThere: () => isProgram('WebKitWebDriver') },
  display: { what: 'Xvfb (a virtual display)', debian: 'xvfb', isThere: () => isProgram('Xvfb') },
  nats: { what: 'NATS (nats-server)', debian: 'nats-server', isThere: () => isProgram('nats-server') },
  sqlmap: { what: 'sqlmap', debian: 'sqlmap', isThere: () => isProgram('sqlmap') },
  wapiti: { what: 'Wapiti', debian: 'wapiti', isThere: () => isProgram('wapiti') },
  slowhttptest: { what: 'slowhttptest', debian: 'slowhttptest', isThere: () => isProgram('slowhttptest') },
}

/**
 * Ensures that the named programs are installed: with apt as root on Debian, otherwise by a message that says what to
 * install.
 */
export async function ensureSystem(names) {
  const missing = names.map((name) => NEEDS[name]).filter((need) => !need.isThere())
  if (missing.length === 0) return
  const packages = missing.map((need) => need.debian).join(' ')
  if (process.getuid?.() !== 0 || !isProgram('apt-get')) {
    throw new Stop(
      `This needs ${missing.map((need) => need.what).join(' and ')}. On Debian: sudo apt-get install ${packages}`,
    )
  }
  await step(`Installing ${packages} (apt-get)`, () => install(packages.split(' ')))
  const still = missing.filter((need) => !need.isThere())
  if (still.length > 0) throw new Stop(`Still missing: ${still.map((need) => need.what).join(', ')}.`)
}

async function install(packages) {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, stdio: ['ignore', 'ignore', 'inherit'] }
  // A failed update may still leave usable package lists. The installation below shows whether it did.
  await run('apt-get', ['update', '-q'], options)
  const code = await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], options)
  if (code !== 0) throw new Stop(`apt-get install ${packages.join(' ')} ended with ${code}.`)
}

/**
 * Returns the path of the system's Chromium. The headless shell comes first: it has the same engine without a window
 * and takes two thirds of the processor time.
 */
export function findChromium() {
  return process.env.CHROMIUM_PATH ?? CHROMIUMS.find(isProgram) ?? CHROMIUMS[0]
}

/** The path of the system's Firefox ESR. */
export function findFirefox() {
  return process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr'
}

/** The library that shifts the clock of a program. Debian keeps it in a folder named after the machine. */
export function findFaketime() {
  return libraryFile('faketime/libfaketimeMT.so.1')
}

/** WebKitGTK's own small browser. */
export function findMiniBrowser() {
  return libraryFile('webkit2gtk-4.1/MiniBrowser') ?? libraryFile('webkit2gtk-4.0/MiniBrowser')
}

/** Finds a file in a folder such as `/usr/lib/x86_64-linux-gnu`. */
function libraryFile(name) {
  const machines = readdirSync(LIBRARIES).filter((folder) => folder.endsWith('-linux-gnu'))
  return machines.map((folder) => join(LIBRARIES, folder, name)).find((path) => existsSync(path))
}

function hasFonts() {
  return existsSync(FONTS) && readdirSync(FONTS, { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/.test(name))
}

/**
 * Returns the folder with PostgreSQL's programs: the newest version from Debian, otherwise the one on the search path.
 */
export function findPostgres() {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES).map(Number) : []
  const debian = versions
    .filter((version) => version >= OLDEST_POSTGRES)
    .toSorted((a, b) => b - a)
    .map((version) => join(DEBIAN_POSTGRES, String(version), 'bin'))
  return [...debian, ...searchPath()].find(
    (folder) => isProgram(join(folder, 'initdb')) && isProgram(join(folder, 'pg_ctl')),
  )
}

function isProgram(name) {
  const candidates = name.includes('/') ? [name] : searchPath().map((folder) => join(folder, name))
  return candidates.some((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      // The program is missing or not executable.
      return false
    }
  })
}

function searchPath() {
  return (process.env.PATH ?? '').split(delimiter).filter(Boolean)
}
