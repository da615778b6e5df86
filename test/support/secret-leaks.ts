import { Writable } from 'node:stream'
import { createLog } from '#server/platform/runtime/log.ts'
import type { TestContext } from '#test/support/test-context.ts'

/** What stands under these names lets somebody in, or says where somebody is paid. */
const SECRET =
  /^(?:password|password_confirmation|current_password|(?:current_)?withdrawal_code(?:_confirmation)?|code|demo_code|token|ticket|device|secret|recovery_codes|fields|withdrawal_information|cookie|authorization)$/
/** Shorter ones, and plain words, stand in a log for other reasons too. */
const IS_TELLING = /^(?=.*\d).{6,}$/s

/** Hears what a test sends and is answered, and finds the secrets of it in what the server logged. */
export class SecretWatch {
  private readonly secrets = new Set<string>()

  hear(value: unknown, isSecret = false): void {
    if (typeof value === 'string') {
      if (isSecret && IS_TELLING.test(value)) this.secrets.add(value)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) this.hear(part, isSecret || SECRET.test(name))
    }
  }

  /** The lines, as they are written to the log, with a secret in them. */
  leaks({ lines }: Pick<TestContext, 'lines'>): string[] {
    if (this.secrets.size === 0) return []
    const written = asWritten(lines)
    return written.filter((line) => [...this.secrets].some((secret) => holds(line, secret)))
  }
}

/** What the server writes for these lines, byte for byte but for the time. */
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

/** Not as a part of a longer number or id. */
function holds(line: string, secret: string): boolean {
  const inJson = JSON.stringify(secret).slice(1, -1)
  for (let at = line.indexOf(inJson); at >= 0; at = line.indexOf(inJson, at + 1)) {
    const around = `${line[at - 1] ?? ''}${line[at + inJson.length] ?? ''}`
    if (!/[\w.-]/.test(around)) return true
  }
  return false
}
