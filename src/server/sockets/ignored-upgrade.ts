import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { Socket } from 'node:net'

/** Whether a request asks for a WebSocket. Programs that prefer HTTP/2 ask for `h2c`. */
function asksForSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade === undefined || headers.upgrade.toLowerCase() === 'websocket'
}

/**
 * Answers a request whose upgrade this server does not offer as if the request had not asked for it (RFC 9110, 7.8). A
 * listener for upgrades gets these requests too. Node does not parse their body, so a request with a body is refused.
 */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => {})
  const response = new ServerResponse(request)
  if (socket instanceof Socket) response.assignSocket(socket)
  response.shouldKeepAlive = false
  response.on('finish', () => socket.end())
  const isBare = request.method === 'GET' || request.method === 'HEAD'
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
  if (isBare && length === '0' && coding === undefined) server.emit('request', request, response)
  else response.writeHead(400, { 'content-type': 'text/plain' }).end('This server does not offer this upgrade.')
}

type OnUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Passes requests for sockets to `onUpgrade`, until the returned function is called. */
export function listenForUpgrades(server: Server, onUpgrade: OnUpgrade): () => void {
  const listener: OnUpgrade = (request, socket, head) => {
    if (asksForSocket(request)) onUpgrade(request, socket, head)
    else answerWithoutUpgrade(server, request, socket)
  }
  server.on('upgrade', listener)
  return () => server.off('upgrade', listener)
}
