import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ControlReply, type ControlRequest, isTooLong } from '#server/operator-cli/control-protocol.ts'
import type { Printed } from '#server/operator-cli/run-command.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'

/**
 * Sends a command to the running server. Null when no server listens on the socket: none runs, or a killed server left
 * its socket.
 */
export async function askServer(path: string, request: ControlRequest): Promise<Printed | null> {
  const socket = await open(path)
  if (!socket) return null
  socket.setEncoding('utf8')
  socket.write(`${JSON.stringify(request)}\n`)
  let replyText = ''
  for await (const chunk of socket) replyText += String(chunk)
  if (!replyText.endsWith('\n'))
    throw new Error('the server stopped before it replied. Check whether the command was carried out')
  return ControlReply.parse(JSON.parse(replyText))
}

export async function isListening(path: string): Promise<boolean> {
  const socket = await open(path)
  socket?.destroy()
  return socket !== null
}

async function open(path: string): Promise<Socket | null> {
  if (isTooLong(path)) return null
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return socket
  } catch (error) {
    socket.destroy()
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null
    throw error
  }
}
