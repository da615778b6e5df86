/**
 * Why the server cannot start, in a text for the operator. `main.ts` prints only the message, without a stack, and
 * exits with code 1. It never contains a password.
 */
export class StartUpError extends Error {
  override readonly name = 'StartUpError'
}

/** One error that lists all problems. */
export function cannotStart(problems: readonly string[]): StartUpError {
  return new StartUpError(['Fairwick cannot start:', ...problems].join('\n  - '))
}

/** The `code` of a system or database error (`EADDRINUSE`, `28P01`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Turns an error of `listen` into a clear text. Other errors are returned unchanged. */
export function explainListenError(error: unknown, { host, port }: { host: string; port: number }): unknown {
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return new StartUpError(
        `Port ${port} on ${host} is taken by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
        { cause: error },
      )
    case 'EACCES':
      return new StartUpError(
        `This user is not allowed to open port ${port} on ${host}. Choose a port above 1023: PORT=3000 npm start`,
        { cause: error },
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartUpError(
        `This machine has no address ${host}. Set HOST to one that it has, 127.0.0.1 for this machine only.`,
        { cause: error },
      )
    default:
      return error
  }
}
