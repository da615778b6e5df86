// Bare servers to compare the server's replies with. `constant` sends prepared bytes, `stringify` builds the bytes for
// each request; both read the body from a file and take the encoding as an argument. `hello` sends one word with
// node:http alone; `fastify` sends it with Fastify and no plugins. Prints the port.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'

const [kind = '', file = '', encoding = ''] = process.argv.slice(2)
const HELLO = { hello: 'world' }

if (kind === 'fastify') {
  const app = fastify()
  app.get('/', async () => HELLO)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  console.log(new URL(address).port)
} else {
  const server = createServer(kind === 'hello' ? helloListener() : pageListener(readFileSync(file)))
  server.listen(0, '127.0.0.1', () => {
    console.log((server.address() as AddressInfo).port)
  })
}

type Listener = Parameters<typeof createServer>[1]

function helloListener(): Listener {
  return (_request, response) => {
    const bytes = JSON.stringify(HELLO)
    response
      .writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length })
      .end(bytes)
  }
}

function pageListener(body: Buffer): Listener {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(encoding && { 'content-encoding': encoding }),
  }
  const value: unknown = kind === 'stringify' ? JSON.parse(body.toString()) : null
  return (_request, response) => {
    const bytes = kind === 'stringify' ? Buffer.from(JSON.stringify(value)) : body
    response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
  }
}
