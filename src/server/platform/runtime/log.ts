import { type DestinationStream, pino } from 'pino'
import type { Log } from '#server/platform/runtime/ports.ts'

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Keys whose values never reach a log, at any depth. The code does not log such values on purpose: the list protects
 * against mistakes.
 */
const SECRETS = [
  'authorization',
  'password',
  'password_confirmation',
  'current_password',
  'passwordHash',
  'pin',
  'code',
  'token',
  'tokenHash',
]

/** One JSON line per event, times in ISO 8601. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '[hidden]' },
      serializers: { err: describeError },
    },
    destination ?? standardOutput(),
  )
}

/** 1 MB: about 5,000 lines wait while the output takes none. */
const MAX_UNWRITTEN_BYTES = 1_000_000

/**
 * Returns the standard output. A full disk behind it loses lines of the log: without a listener, the error would be
 * thrown by the call that logs, and would end the server.
 */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true, maxLength: MAX_UNWRITTEN_BYTES })
  // The listener of pino throws every error but a closed pipe.
  output.removeAllListeners('error')
  output.on('error', () => {})
  return output
}

/**
 * The loggable part of an error. Database errors contain the failed row in `detail`, with any data, so properties are
 * selected one by one.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'a value that is no Error was thrown' }
  const { name, message, stack } = error
  const code = 'code' in error ? error.code : undefined
  const constraint = 'constraint' in error ? error.constraint : undefined
  const { cause } = error
  return {
    type: name,
    message,
    stack,
    ...(typeof code === 'string' && { sqlState: code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(cause instanceof Error && { cause: describeError(cause) }),
  }
}
