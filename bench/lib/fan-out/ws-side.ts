// A server as most projects write it: it builds a text once per price, and passes the text to `ws` for each client.
import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { tickText } from './tick-text.ts'
import { beSide } from './side.ts'

const server = createServer()
const sockets = new WebSocketServer({ server, perMessageDeflate: false })
beSide(server, () => {
  const text = tickText()
  for (const client of sockets.clients) client.send(text)
})
