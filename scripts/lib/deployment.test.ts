import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { examineConfig, VARIABLE_NAMES } from '#server/app/config/config.ts'
import { commandOf, readDockerfile } from './dockerfile.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const isThere = (path: string) => existsSync(new URL(`../../${path}`, import.meta.url))
const versions = /^>=(.+)$/.exec((JSON.parse(read('package.json')) as { engines: { node: string } }).engines.node)

/**
 * Variables that the server itself does not read: the key that the shipped feeds file names, and the passwords of
 * compose.yaml.
 */
const OTHERS = ['FINNHUB_KEY', 'POSTGRES_PASSWORD', 'NATS_PASSWORD']

interface Service {
  readonly build?: string
  readonly image?: string
  readonly environment?: Readonly<Record<string, unknown>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
  readonly healthcheck?: { readonly test: readonly string[] }
}

describe('.env.example', () => {
  const example = parseEnv(read('.env.example'))

  it('lists every variable of the configuration, and no other', () => {
    const named = parseEnv(read('.env.example').replace(/^# (?=[A-Z_]+=)/gm, ''))
    expect(Object.keys(named).toSorted()).toEqual([...VARIABLE_NAMES, ...OTHERS].toSorted())
  })

  it('configures a demo on port 3000 when it is used unchanged', () => {
    expect(examineConfig(example)).toMatchObject({ problems: [], config: { mode: 'demo', port: 3000 } })
  })

  it('the reference describes each variable', () => {
    const page = read('docs/reference/configuration.md')
    const described = [...VARIABLE_NAMES, 'FINNHUB_KEY'].filter((name) => !page.includes(`\`${name}\``))
    expect(described).toEqual([])
  })
})

describe('the Dockerfile', () => {
  const steps = readDockerfile(read('Dockerfile'))
  const last = (name: string) => steps.findLast((step) => step.kind === 'other' && step.name === name)
  const textOf = (name: string) => {
    const step = last(name)
    return step?.kind === 'other' ? step.text : ''
  }

  it('copies every configuration file that the build names', () => {
    const sources = steps.flatMap((step) => (step.kind === 'copy' && step.from === null ? step.sources : []))
    const { build } = (JSON.parse(read('package.json')) as { scripts: { build: string } }).scripts
    const named = Array.from(build.matchAll(/--config (\S+)/g), ([, file]) => file)
    expect(named).not.toEqual([])
    expect(named.filter((file) => !sources.includes(file ?? ''))).toEqual([])
  })

  it('copies only files that exist, and that .dockerignore lets through', () => {
    const sources = steps.flatMap((step) => (step.kind === 'copy' && step.from === null ? step.sources : []))
    expect(sources.filter((source) => !isThere(source))).toEqual([])
    const allowed = read('.dockerignore').split('\n')
    const patterns = allowed.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
    const matches = (source: string) =>
      patterns.some((pattern) => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(source))
    expect(sources.filter((source) => !matches(source) && !matches(source.replace(/\.ts$/, '..ts')))).toEqual([])
  })

  it('copies only from earlier build stages', () => {
    const wrong = steps.filter((step, at) => {
      if (step.kind !== 'copy' || step.from === null) return false
      return !steps.slice(0, at).some((before) => before.kind === 'from' && before.name === step.from)
    })
    expect(wrong).toEqual([])
  })

  it('uses a supported Node.js version, a user other than root, a health check and the configured port', () => {
    const images = steps.flatMap((step) => (step.kind === 'from' ? [step.image] : []))
    const node = images.map((image) => Number(/^node:(\d+)/.exec(image)?.[1]))
    expect(node.every((version) => version >= Number(versions?.[1]?.split('.')[0]))).toBe(true)
    expect(textOf('USER')).toMatch(/^[1-9]/)
    expect(commandOf(textOf('HEALTHCHECK'))[0]).toBe('node')
    expect(commandOf(textOf('CMD'))).toContain('dist/server/main.mjs')
    const env = steps.flatMap((step) => (step.kind === 'env' ? [step.values] : []))[0] ?? {}
    expect(Object.keys(env).filter((name) => name !== 'NODE_ENV' && !VARIABLE_NAMES.includes(name))).toEqual([])
    expect(textOf('EXPOSE')).toBe(env['PORT'])
    expect(textOf('VOLUME')).toBe(env['FAIRWICK_DATA_DIR'])
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = parse(read('compose.yaml')) as {
    services: Record<string, Service>
    volumes: Record<string, null>
  }

  it('starts the app only after PostgreSQL and NATS are healthy', () => {
    expect(Object.keys(services)).toEqual(['app', 'database', 'nats'])
    const healthy = { condition: 'service_healthy' }
    expect(services['app']?.depends_on).toEqual({ database: healthy, nats: healthy })
    expect(services['database']?.healthcheck?.test.length).toBeGreaterThan(1)
    expect(services['nats']?.healthcheck?.test.length).toBeGreaterThan(1)
  })

  it('gives the app a configuration that the app accepts', () => {
    const environment = Object.entries(services['app']?.environment ?? {})
    const given = environment.map(([name, value]) => [name, String(value).replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')])
    const { problems, config } = examineConfig({ ...parseEnv(read('.env.example')), ...Object.fromEntries(given) })
    expect([problems, config?.port]).toEqual([[], 3000])
    expect(new URL(config?.databaseUrl ?? '').hostname).toBe('database')
    expect(new URL(config?.natsUrl ?? '').hostname).toBe('nats')
    expect(services['app']?.ports).toEqual(['127.0.0.1:3000:3000'])
  })

  it('declares the volumes that it uses', () => {
    const used = Object.values(services).flatMap((service) => service.volumes ?? [])
    expect(used.map((volume) => volume.split(':')[0] ?? '').toSorted()).toEqual(Object.keys(volumes).toSorted())
  })
})

describe('the other files for operators and contributors', () => {
  it('the systemd unit starts the built server and sets known variables', () => {
    const unit = read('deploy/fairwick.service')
    expect(unit).toContain('dist/server/main.mjs')
    const [, set = ''] = /^Environment=(.*)$/m.exec(unit) ?? []
    const names = set.split(' ').map((word) => word.split('=')[0] ?? '')
    expect(names.filter((name) => name !== 'NODE_ENV' && !VARIABLE_NAMES.includes(name))).toEqual([])
  })

  it('the systemd unit keeps its data folder when /etc/fairwick.env is a copy of .env.example', () => {
    const [, set = ''] = /^Environment=(.*)$/m.exec(read('deploy/fairwick.service')) ?? []
    // A variable of EnvironmentFile= replaces one of Environment=.
    const merged = { ...parseEnv(set.replaceAll(' ', '\n')), ...parseEnv(read('.env.example')) }
    expect(examineConfig(merged).config?.dataDir).toBe('/var/lib/fairwick')
  })

  it('the CI workflow runs `npm start` and `npm test` on every supported Node.js', () => {
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { test: { strategy: { matrix: { node: string[] } }; steps: { run?: string }[] } }
    }
    expect(jobs.test.strategy.matrix.node).toEqual(['20.19', '22', '24'])
    const commands = jobs.test.steps.map(({ run = '' }) => run).join('\n')
    expect(commands).toContain('npm start')
    expect(commands).toContain('npm test')
  })

  it('.nvmrc names the newest supported Node.js', () => {
    expect(read('.nvmrc').trim()).toBe('24')
  })
})
