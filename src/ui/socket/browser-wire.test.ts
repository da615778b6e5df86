import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openBrowserWire } from '#ui/socket/browser-wire.ts'

let server: WebSocketServer

beforeEach(async () => {
  // The ws client behaves like the browser's WebSocket.
  vi.stubGlobal('WebSocket', WebSocket)
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
})
afterEach(() => {
  vi.unstubAllGlobals()
  server.close()
})

test('a wire sends messages only while it is open', async () => {
  const messages: string[] = []
  server.on('connection', (socket) => socket.on('message', (data: Buffer) => messages.push(data.toString())))
  const [opened, closed] = [vi.fn<() => void>(), vi.fn<(code?: number) => void>()]
  const wire = openBrowserWire(address(), { opened, message: () => undefined, closed })
  expect(wire.send('too early')).toBe(false)
  await vi.waitFor(() => expect(opened).toHaveBeenCalledOnce())
  expect(wire.send('in time')).toBe(true)
  wire.close()
  expect(wire.send('too late')).toBe(false)
  await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce())
  expect(wire.send('much too late')).toBe(false)
  expect(messages).toEqual(['in time'])
})

function address(): string {
  const at = server.address()
  if (typeof at !== 'object' || at === null) throw new Error('not listening on a port')
  return `ws://127.0.0.1:${at.port}`
}
