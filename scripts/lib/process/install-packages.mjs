/** 5 s: with a usual connection, the first packages have arrived within this time. */
const ASK_AFTER_MS = 5_000
const USUAL_REGISTRY = 'https://registry.npmjs.org/'
/** Error codes of npm that point to the network. */
const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|CERT_\w+|SELF_SIGNED\w*|UNABLE_TO_\w+|FETCH_ERROR)\b|network/i
/**
 * Includes development packages regardless of NODE_ENV, as the tests are part of the product. Each download is tried
 * three times within about 12 s.
 */
const CI = [
  'ci',
  '--include=dev',
  '--no-audit',
  '--no-fund',
  '--fetch-retry-mintimeout=2000',
  '--fetch-retry-maxtimeout=8000',
]
const PING = ['ping', '--fetch-retries=0', '--fetch-timeout=5000', '--loglevel=silent']

/**
 * Installs the packages of package-lock.json. When the installation takes longer than 5 s, checks whether the registry
 * responds, and prints advice if it does not. Returns the problem, or null. npm's own messages are printed only when
 * they say something else.
 */
export async function installPackages({
  runNpm,
  say,
  registry = process.env.npm_config_registry,
  askAfterMs = ASK_AFTER_MS,
}) {
  const address = registry || USUAL_REGISTRY
  let errors = ''
  let isOver = false
  const ask = async () => {
    const code = await runNpm(PING, { stdio: ['ignore', 'ignore', 'ignore'] })
    if (code !== 0 && !isOver) say(unreachable(address))
  }
  const timer = setTimeout(() => void ask().catch(() => undefined), askAfterMs)
  try {
    const code = await runNpm(CI, { onError: (text) => (errors += text) })
    if (code === 0) {
      if (errors !== '') say(errors.trimEnd())
      return null
    }
    if (NETWORK.test(errors)) return `The packages could not be installed.\n${unreachable(address)}`
    return `${errors.trimEnd()}\nThe packages could not be installed: npm ci ended with ${code}.`.trim()
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}

/** Describes an unreachable registry and the possible remedies. */
function unreachable(address) {
  return [
    `The package registry ${address} cannot be reached from this computer.`,
    '  Behind a proxy:  npm config set proxy http://HOST:PORT && npm config set https-proxy http://HOST:PORT',
    '  With a mirror:   npm config set registry https://MIRROR',
    '  Then run npm start again.',
  ].join('\n')
}
