// `npm start`: makes sure that packages, apps and server are there, then runs the server until it is told to stop.
import { checkNode } from './lib/process/check-node.mjs'
import { BUILT_SERVER, ensureBuilt, NODE_FLAGS } from './lib/process/ensure-built.mjs'
import { ensurePackages } from './lib/process/ensure-packages.mjs'
import { run } from './lib/process/run.mjs'
import { main } from './lib/process/console-output.mjs'

await main(async () => {
  checkNode()
  await ensurePackages()
  await ensureBuilt()
  // Over the fourth channel the server notices when this process is gone, however that came about.
  return run(process.execPath, [...NODE_FLAGS, BUILT_SERVER], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
})
