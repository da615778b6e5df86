import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let port: number
beforeAll(async () => {
  app = await createTestApp(database)
  port = Number(new URL(await app.start()).port)
})
afterAll(() => app.stop())

/** Sends a request as Java and `curl --http2` send the first one, and returns the reply when the server closes. */
async function ask(line: string, rest = '\r\n'): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n'
  socket.write(`${line} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${upgrade}${rest}`)
  let reply = ''
  for await (const chunk of socket) reply += String(chunk)
  return reply
}

it.each(['/healthz', '/api/v3/ping'])(
  'a request for %s that also offers HTTP/2 is answered without it',
  async (path) => {
    expect(await ask(`GET ${path}`)).toMatch(/^HTTP\/1\.1 200 /)
  },
)

it('a request with a body that offers HTTP/2 is refused, because its body is not read', async () => {
  const reply = await ask('POST /api/user/auth/login', 'Content-Length: 2\r\n\r\n{}')
  expect(reply).toMatch(/^HTTP\/1\.1 400 /)
  expect(reply).toContain('does not offer this upgrade')
})
