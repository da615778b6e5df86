/** 5 s: on a usual line the first packages have come by then. */
const ASK_AFTER_MS = 5_000
const USUAL_REGISTRY = 'https://registry.npmjs.org/'
/** What npm's errors say when the network is to blame. */
const NETWORK =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|CERT_\w+|SELF_SIGNED\w*|UNABLE_TO_\w+|FETCH_ERROR)\b|network/i
/** Development packages too, whatever NODE_ENV says: the tests are part of the product. Each fetch is tried three times, within some 12 s. */
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
 * Installs what package-lock.json names. When it takes longer than some seconds it asks whether the registry answers, and
 * says what to do when it does not. Answers what went wrong, null for nothing. npm's own words are shown only when they
 * say something else than that.
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

/** What cannot be reached, and the ways there are. */
function unreachable(address) {
  return [
    `The package registry ${address} cannot be reached from this computer.`,
    '  Behind a proxy:  npm config set proxy http://HOST:PORT && npm config set https-proxy http://HOST:PORT',
    '  With a mirror:   npm config set registry https://MIRROR',
    '  Then run npm start again.',
  ].join('\n')
}
