// `npm start` installs packages and builds apps and server if needed, then runs the server until it is stopped.
import { checkNode } from './lib/process/check-node.mjs'
import { BUILT_SERVER, ensureBuilt, NODE_FLAGS } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { run } from './lib/process/run.mjs'
import { main } from './lib/process/console-output.mjs'

await main(async () => {
  checkNode()
  await ensurePackages()
  await ensureBuilt()
  // Through the IPC channel the server notices when this process ends for any reason.
  return run(process.execPath, [...NODE_FLAGS, BUILT_SERVER], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
})
