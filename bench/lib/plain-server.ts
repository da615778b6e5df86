// What the server's answers are measured against. `constant` sends bytes it has, `stringify` makes them for each request;
// their body comes in by a file, the encoding by name. `hello` says one word, by node:http alone; `fastify` says it by the
// framework, with nothing else registered. Prints the port.
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
