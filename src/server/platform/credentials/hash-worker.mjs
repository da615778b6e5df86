// Computes hashes in a worker thread with a lower priority than the thread that serves users, so that hashing never
// delays trading. The file is plain JavaScript, so that a worker thread of Node 20 starts it unchanged, both under tsx
// and under the test runner. `hash-threads.ts` is the other end and defines the messages.
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

// Linux has a priority per thread. On other systems this call would lower the whole server's priority.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort.on('message', ({ id, stored, secret, options }) => {
  try {
    const answer = stored === null ? hashSync(secret, options) : verifySync(stored, secret)
    parentPort.postMessage({ id, answer })
  } catch (error) {
    parentPort.postMessage({ id, error: error.message })
  }
})
