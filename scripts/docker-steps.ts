// `npm run docker:steps`: runs every step of the Dockerfile in a folder that is thrown away, without Docker: copies,
// commands, the server itself, and its health check. Ends with 1 when a step fails. Each stage is a folder, and this
// machine replaces the base image.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf, readDockerfile } from './lib/dockerfile.ts'

const CONTEXT = resolve('.')
/** 2 minutes: a container has to be healthy within its start period and retries. */
const HEALTHY_WITHIN_MS = 120_000
/** 20 s: the grace period of compose.yaml. */
const STOP_WITHIN_MS = 20_000

interface Stage {
  readonly folder: string
  workdir: string
  readonly env: Record<string, string>
}

const root = mkdtempSync(join(tmpdir(), 'fairwick-docker-'))
try {
  await runAll()
  console.log('Every step of the Dockerfile works.')
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function runAll(): Promise<void> {
  const stages = new Map<string, Stage>()
  let stage: Stage | null = null
  let health: string[] = []
  let start: string[] = []
  for (const step of readDockerfile(readFileSync('Dockerfile', 'utf8'))) {
    if (step.kind === 'from') {
      const name = step.name ?? 'final'
      stage = { folder: join(root, name), workdir: '/', env: {} }
      stages.set(name, stage)
      mkdirSync(stage.folder)
      continue
    }
    if (stage === null) throw new Error('The Dockerfile has a step before its first FROM.')
    const inStage = (path: string, { folder, workdir }: Stage = stage as Stage) => join(folder, resolve(workdir, path))
    switch (step.kind) {
      case 'copy': {
        const from = step.from === null ? null : stages.get(step.from)
        if (from === undefined) throw new Error(`There is no stage ${step.from}.`)
        for (const source of step.sources)
          copy(from === null ? join(CONTEXT, source) : inStage(source, from), inStage(step.target), step)
        break
      }
      case 'run':
        run(step.command, stage)
        break
      case 'env':
        // An absolute path in the image becomes a path inside the stage's folder.
        for (const [name, value] of Object.entries(step.values))
          stage.env[name] = value.startsWith('/') ? join(stage.folder, value) : value
        break
      case 'other':
        if (step.name === 'WORKDIR') {
          stage.workdir = resolve(stage.workdir, step.text)
          mkdirSync(inStage('.'), { recursive: true })
        }
        if (step.name === 'HEALTHCHECK') health = commandOf(step.text)
        if (step.name === 'CMD') start = commandOf(step.text)
    }
  }
  if (stage !== null) await serve(stage, start, health)
}

/** Copies like COPY in a Dockerfile: the content of a folder, or a file into a folder or to the target's name. */
function copy(
  source: string,
  target: string,
  { sources, target: written }: { sources: readonly string[]; target: string },
): void {
  const isInto = written.endsWith('/') && (sources.length > 1 || /\.[\w.]+$/.test(basename(source)))
  console.log(`COPY ${source} → ${target}`)
  cpSync(source, isInto ? join(target, basename(source)) : target, { recursive: true, verbatimSymlinks: true })
}

function run(command: string, { folder, workdir, env }: Stage): void {
  console.log(`RUN ${command}`)
  const { status } = spawnSync('sh', ['-c', command], {
    cwd: join(folder, workdir),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`${command} ended with ${String(status)}.`)
}

async function serve({ folder, workdir, env }: Stage, start: string[], health: string[]): Promise<void> {
  const options = {
    cwd: join(folder, workdir),
    env: { ...process.env, ...env, HOST: '127.0.0.1', PORT: String(await freePort()) },
    stdio: ['ignore', 'inherit', 'inherit'] as ['ignore', 'inherit', 'inherit'],
  }
  const [command = '', ...args] = start
  console.log(`CMD ${start.join(' ')}`)
  const server = spawn(command, args, options)
  const exited = once(server, 'exit')
  try {
    const until = Date.now() + HEALTHY_WITHIN_MS
    const [probe = '', ...probeArgs] = health
    while (spawnSync(probe, probeArgs, options).status !== 0) {
      if (server.exitCode !== null || Date.now() > until) throw new Error('The server does not become healthy.')
      await sleep(500)
    }
    console.log('HEALTHCHECK: healthy')
  } finally {
    server.kill('SIGTERM')
    await Promise.race([exited, sleep(STOP_WITHIN_MS, undefined, { ref: false })])
    if (server.exitCode === null) server.kill('SIGKILL')
  }
  if (server.exitCode !== 0) throw new Error(`The server ended with ${String(server.exitCode)}.`)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('No port is free.')
  return address.port
}
