// A bare TCP server as the upper bound: it writes the same bytes as our server to each connection in a loop.
import { createServer, type Socket } from 'node:net'
import { textFrame } from '#server/sockets/text-frame.ts'
import { tickText } from './tick-text.ts'
import { beSide } from './side.ts'

const sockets = new Set<Socket>()
const server = createServer({ noDelay: true }, (socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
})
beSide(server, () => {
  const bytes = textFrame(tickText())
  for (const socket of sockets) socket.write(bytes)
})
