/**
 * Loaded before a live server: connections to the host names of a test go to local servers without encryption. A live
 * server accepts only encrypted addresses of public hosts, which a test must not reach. `REDIRECTS` maps host to port.
 */
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

const ports = JSON.parse(process.env.REDIRECTS ?? '{}')
const connectEncrypted = tls.connect
tls.connect = (...args) => {
  const [options] = args
  const host = options?.servername || options?.host || options?.hostname
  const port = ports[host]
  return port === undefined ? connectEncrypted(...args) : net.connect({ host: '127.0.0.1', port })
}
syncBuiltinESMExports()

const ask = globalThis.fetch
globalThis.fetch = (address, init) => {
  const url = new URL(address instanceof Request ? address.url : address)
  const port = ports[url.hostname]
  if (port === undefined) return ask(address, init)
  return ask(`http://127.0.0.1:${port}${url.pathname}${url.search}`, init)
}
