// Hashes are computed in this worker thread, below the priority of the thread that serves users: they wait for trading, and
// trading does not wait for them. Plain JavaScript: a worker thread of Node 20 starts it as it is, under tsx and under the
// test runner alike. `hash-threads.ts` is the other end and names the messages.
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

// Linux has a priority for each thread; elsewhere this would be that of the whole server.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort.on('message', ({ id, stored, secret, options }) => {
  try {
    const answer = stored === null ? hashSync(secret, options) : verifySync(stored, secret)
    parentPort.postMessage({ id, answer })
  } catch (error) {
    parentPort.postMessage({ id, error: error.message })
  }
})
