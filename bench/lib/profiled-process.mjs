// Preloaded into a program by `node --import`. The program then writes a profile of its processor time to PROFILE_FILE
// when it exits. Browsers' developer tools and editors open such files.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

const file = process.env.PROFILE_FILE

if (isMainThread && file) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.start')
  // The reply is synchronous, as the inspector belongs to this thread.
  process.on('exit', () =>
    session.post('Profiler.stop', (_, stopped) => writeFileSync(file, JSON.stringify(stopped.profile))),
  )
}
