// `npm start`: makes sure that packages and web app are there, then runs the server until it is told to stop.
import { checkNode } from './lib/check-node.mjs'
import { ensurePackages } from './lib/ensure-packages.mjs'
import { ensureWeb } from './lib/ensure-web.mjs'
import { run } from './lib/run.mjs'
import { main } from './lib/say.mjs'

await main(async () => {
  checkNode()
  await ensurePackages()
  await ensureWeb()
  // Over the fourth channel the server notices when this process is gone, however that came about.
  return run(process.execPath, ['--import', 'tsx', 'src/server/main.ts'], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
})
