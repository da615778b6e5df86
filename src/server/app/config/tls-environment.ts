type Environment = Readonly<Record<string, string | undefined>>

const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy']

/**
 * Lists the set variables that weaken encrypted connections. With such a variable, the operator could place a fake
 * provider of prices between the server and the real provider.
 */
export function weakenedTls(environment: Environment): string[] {
  const given = Object.entries(environment).filter(([, value]) => value?.trim())
  const weakening = given.filter(
    ([name, value = '']) =>
      (name === 'NODE_TLS_REJECT_UNAUTHORIZED' && value.trim() === '0') ||
      name === 'NODE_EXTRA_CA_CERTS' ||
      (name === 'NODE_OPTIONS' && /--use-(?:openssl|system)-ca/.test(value)) ||
      PROXIES.includes(name.toLowerCase()),
  )
  return weakening.map(([name]) => `tls_weakened: live mode does not start with ${name}`)
}
