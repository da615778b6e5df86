import { Writable } from 'node:stream'
import { createLog } from '#server/platform/runtime/log.ts'
import type { TestContext } from '#test/support/test-context.ts'

/** Values of these fields give access to an account or name a payment destination. */
const SECRET =
  /^(?:password|password_confirmation|current_password|(?:current_)?withdrawal_code(?:_confirmation)?|code|demo_code|token|ticket|device|secret|recovery_codes|fields|withdrawal_information|cookie|authorization)$/
/** Shorter values and plain words occur in logs for other reasons too. */
const IS_TELLING = /^(?=.*\d).{6,}$/s

/** Records the secrets that a test sends and receives, and searches the server's log for them. */
export class SecretWatch {
  private readonly secrets = new Set<string>()

  hear(value: unknown, isSecret = false): void {
    if (typeof value === 'string') {
      if (isSecret && IS_TELLING.test(value)) this.secrets.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) this.hear(part, isSecret || SECRET.test(name))
    }
  }

  /** Returns the log lines, as written, that contain a secret. */
  leaks({ lines }: Pick<TestContext, 'lines'>): string[] {
    if (this.secrets.size === 0) return []
    const written = asWritten(lines)
    return written.filter((line) => [...this.secrets].some((secret) => holdsSecret(line, secret)))
  }
}

/** Returns what the server writes for these lines, byte for byte except the time. */
export function asWritten(lines: TestContext['lines']): string[] {
  const written: string[] = []
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written.push(chunk.toString())
      done()
    },
  })
  const log = createLog('debug', destination)
  for (const { level, facts, message } of lines)
    if (level === 'debug' || level === 'info' || level === 'warn' || level === 'error') log[level](facts, message)
  return written
}

/** Matches a secret only as a whole value, so that a part of a longer number or id does not count. */
export function holdsSecret(line: string, secret: string): boolean {
  const inJson = JSON.stringify(secret).slice(1, -1)
  for (let at = line.indexOf(inJson); at >= 0; at = line.indexOf(inJson, at + 1)) {
    const around = `${line[at - 1] ?? ''}${line[at + inJson.length] ?? ''}`
    if (!/[\w.-]/.test(around)) return true
  }
  return false
}
