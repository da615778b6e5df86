// What a page of candles is measured against: `constant` sends bytes it has, `stringify` makes them for each request. The
// body comes in by a file, the encoding by name. Prints the port.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [kind = '', file = '', encoding = ''] = process.argv.slice(2)
const body = readFileSync(file)
const headers = { 'content-type': 'application/json; charset=utf-8', ...(encoding && { 'content-encoding': encoding }) }
const value: unknown = kind === 'stringify' ? JSON.parse(body.toString()) : null

const server = createServer((_request, response) => {
  const bytes = kind === 'stringify' ? Buffer.from(JSON.stringify(value)) : body
  response.writeHead(200, { ...headers, 'content-length': bytes.length }).end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port)
})
