import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { assert } from '#core/result.ts'
import { checkPort } from '#server/platform/http/check-port.ts'
import { reachableAddresses } from '#server/platform/http/reachable-addresses.ts'

const INTERFACES = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true } as const],
  wlan0: [
    { address: '192.168.1.20', family: 'IPv4', internal: false } as const,
    { address: 'fe80::1', family: 'IPv6', internal: false } as const,
  ],
  usb0: [{ address: '169.254.7.7', family: 'IPv4', internal: false } as const],
}

describe('F86: the address printed at the start', () => {
  it.each([
    ['http://0.0.0.0:3000', '0.0.0.0', 'http://localhost:3000', ['http://192.168.1.20:3000']],
    // Some versions of the HTTP server report 127.0.0.1 when the server listens at 0.0.0.0.
    ['http://127.0.0.1:3000', '0.0.0.0', 'http://localhost:3000', ['http://192.168.1.20:3000']],
    ['http://[::]:3000', '::', 'http://localhost:3000', ['http://192.168.1.20:3000']],
    ['http://127.0.0.1:3000', '127.0.0.1', 'http://127.0.0.1:3000', []],
    ['http://192.168.1.20:8080', '192.168.1.20', 'http://192.168.1.20:8080', []],
  ])('F86: contains, for %s with HOST=%s, %s', (address, host, own, network) => {
    expect(reachableAddresses({ address, host }, INTERFACES)).toEqual({ own, network })
  })
})

describe('F86: a port in use', () => {
  it('F86: is reported with its number until the other program closes the port', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen({ host: '127.0.0.1', port: 0 }, resolve))
    const place = other.address()
    assert(typeof place === 'object' && place !== null, 'it listens at a port')
    const { port } = place
    await expect(checkPort({ host: '127.0.0.1', port })).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop that program, or choose another port: PORT=${port + 1}`,
    )
    await new Promise((resolve) => other.close(resolve))
    await expect(checkPort({ host: '127.0.0.1', port })).resolves.toBeUndefined()
  })

  it('F86: is never reported when the operator requests any free port', async () => {
    await expect(checkPort({ host: '127.0.0.1', port: 0 })).resolves.toBeUndefined()
  })
})
