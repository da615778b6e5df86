// `npm run dev` runs the whole product with reload. The server restarts when its sources change. Vite serves the web
// app and proxies calls and sockets to the server.
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'vite'

// Vite's proxy expects the server on its default port.
const server: ChildProcess = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'watch', 'src/server/main.ts'], {
  stdio: 'inherit',
})
const web = await createServer()
await web.listen()
web.printUrls()

server.on('exit', (code) => void web.close().then(() => process.exit(code ?? 1)))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))
