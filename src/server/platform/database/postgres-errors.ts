import { errorCode, StartUpError } from '#server/platform/runtime/startup-error.ts'

/** Turns the failure of a first connection into an error that tells the operator what to do. */
export function explainConnectError(error: unknown, url: string): unknown {
  if (error instanceof StartUpError) return error
  const { host, user, name } = describeAddress(url)
  switch (errorCode(error)) {
    case '28P01':
    case '28000':
      return new StartUpError(`The database at ${host} refuses user ${user}: wrong user name or password.`, {
        cause: error,
      })
    case '3D000':
      return new StartUpError(`The database server at ${host} has no database called ${name}.`, { cause: error })
    case '53300':
      return new StartUpError(`The database at ${host} has no connections left.`, { cause: error })
    default: {
      const why = errorCode(error) ?? (error instanceof Error ? error.message : 'unknown error')
      return new StartUpError(
        `The database at ${host} does not answer (${why}). Is it running, and is DATABASE_URL right?`,
        {
          cause: error,
        },
      )
    }
  }
}

/** The parts of the address that may be shown, without the password. */
function describeAddress(url: string): { host: string; user: string; name: string } {
  if (!URL.canParse(url)) return { host: 'the given address', user: 'unknown', name: 'unknown' }
  const { hostname, port, username, pathname } = new URL(url)
  return {
    host: `${hostname || 'localhost'}:${port || '5432'}`,
    user: decodeURIComponent(username),
    name: decodeURIComponent(pathname.slice(1)),
  }
}
