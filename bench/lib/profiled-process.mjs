// Loaded before a program (`node --import`), it writes a profile of its processor time to PROFILE_FILE when the program ends;
// browsers' developer tools and editors open such files.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { isMainThread } from 'node:worker_threads'

const file = process.env.PROFILE_FILE

if (isMainThread && file) {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.start')
  // Answered at once: it is the inspector of this very thread.
  process.on('exit', () =>
    session.post('Profiler.stop', (_, stopped) => writeFileSync(file, JSON.stringify(stopped.profile))),
  )
}
