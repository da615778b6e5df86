import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { clientAddressReader } from '#server/platform/http/client-address.ts'

it.each([
  ['no header', [], undefined, '127.0.0.1'],
  ['a header from nobody we trust', [], '9.9.9.9', '127.0.0.1'],
  ['a trusted proxy', ['127.0.0.1'], '9.9.9.9', '9.9.9.9'],
  ['a client that made one up before our proxy', ['127.0.0.0/8'], '1.1.1.1, 9.9.9.9', '9.9.9.9'],
  ['two of our proxies', ['127.0.0.1', '10.0.0.0/8'], '9.9.9.9, 10.1.2.3', '9.9.9.9'],
  ['a proxy that adds the port', ['127.0.0.1'], '9.9.9.9:51234', '9.9.9.9'],
  ['an IPv6 address with a port', ['127.0.0.1'], '[2001:db8::1]:51234', '2001:db8::1'],
  ['an IPv4 address written as IPv6', ['127.0.0.1'], '::ffff:909:909', '9.9.9.9'],
  ['a word for an address', ['127.0.0.1'], '1.1.1.1, unknown7', '127.0.0.1'],
  ['nonsense', ['127.0.0.1'], 'me', '127.0.0.1'],
])('counts a connection with %s for the right address', async (_, trusted, header, expected) => {
  const addressOf = clientAddressReader(trusted)
  const server = createServer((request, response) => response.end(addressOf(request)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a listening TCP server has one
  const { port } = server.address() as AddressInfo
  const headers: Record<string, string> = header === undefined ? {} : { 'x-forwarded-for': header }
  const answer = await fetch(`http://127.0.0.1:${port}`, { headers })
  expect(await answer.text()).toBe(expected)
  server.closeAllConnections()
  server.close()
})
