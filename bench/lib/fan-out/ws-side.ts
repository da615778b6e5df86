// The usual way: a text is built once per price and passed to `ws` for each client.
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
