// How it is usually done: a text is made once for each price and given to `ws` for each client.
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
