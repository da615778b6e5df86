import { describe, expect, it } from 'vitest'
import { COMMANDS } from '#server/operator-cli/commands.ts'
import { readCommand } from '#server/operator-cli/read-command.ts'
import { printed } from '#server/operator-cli/run-command.ts'

const run = (...args: string[]) => {
  const read = readCommand(args)
  if (read.kind === 'run') throw new Error(`this would run: ${read.command.name}`)
  return printed(read)
}

describe('invalid input', () => {
  it.each([
    [['frobnicate'], 'There is no command frobnicate'],
    [['deposits'], 'deposits needs a second word. One of: list, show, arrived, approve, reject'],
    [['deposits', 'invent'], 'There is no command deposits invent'],
    [['deposits', 'approve'], '<trx> is required'],
    [['deposits', 'approve', '12'], '<trx> is not a reference'],
    [['deposits', 'approve', 'FW-'], '<trx> is not a reference'],
    [['deposits', 'approve', `FW-${'0'.repeat(38)}`], '<trx> is not a reference'],
    [['deposits', 'reject', 'FW-0000-0000-0000'], '--words is required'],
    [['deposits', 'reject', ' fw-00000-00000-00000 '], '--words is required'],
    [['deposits', 'reject', 'FW-0000-0000-0000', '--words', ' '], '--words must not be empty'],
    [['deposits', 'reject', 'FW-0000-0000-0000', '--words', 'a'.repeat(501)], 'at most 500'],
    [['deposits', 'reject', 'FW-0000-0000-0000', '--amount', '5'], "Unknown option '--amount'"],
    [['deposits', 'approve', 'FW-0000-0000-0000', '500'], '"500" is one argument too many'],
    [['markets', 'close', 'gold', '--reason', 'x'], '<type> is not a market: one of crypto, us_stocks, us_fx'],
    [['markets', 'close', 'crypto'], '--reason is required'],
    [['users', 'trade-status', 'alice', 'maybe'], '<status> must be on or off'],
    [['settings', 'set', 'site_name', 'Harbour'], '<json> is not JSON'],
  ])('refuses %j with %s', (args, problem) => {
    const { exitCode, lines } = run(...args)
    expect([exitCode, lines.join('\n')]).toEqual([2, expect.stringContaining(problem)])
  })

  const WRONG = ['', 'x', '-1', '1.5', 'x'.repeat(30_000)]
  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    'F67: %s refuses invalid input in plain words',
    (name, { takes, options }) => {
      const words = Object.keys(options).filter((option) => options[option] !== 'flag')
      const inputs = [
        [],
        ...WRONG.map((value) => [...takes.map(() => value || ' '), ...words.map((option) => `--${option}=${value}`)]),
      ]
      const problems = inputs.flatMap((input) => {
        const read = readCommand([...name.split(' '), ...input])
        return read.kind === 'wrong' ? [read.why] : []
      })
      expect(problems.join(' ')).not.toMatch(
        /Invalid|[Ee]xpected|received|Too (?:small|big)|[Uu]nrecognized|undefined|NaN/,
      )
    },
  )

  it('prints help on request', () => {
    for (const { name } of COMMANDS) {
      const { exitCode, lines } = run(...name.split(' '), '--help')
      expect([exitCode, lines[0]]).toEqual([0, expect.stringContaining(`npm run admin -- ${name}`)])
    }
    expect(run('--help').lines.join('\n')).toContain('deposits reject <trx> --words "…"')
    expect(run().exitCode).toBe(0)
  })
})

it('the operator CLI contains no command that could set a price or a result', () => {
  const said = COMMANDS.flatMap(({ name, takes, options }) => [name, ...takes, ...Object.keys(options)])
  for (const word of said) expect(word).not.toMatch(/\b(price|result|payout|profit|odds|tick|order|win|lose)/)
})

describe('F4: digits of another script', () => {
  const arabic = (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))
  it.each([
    ['deposits', 'list', '--limit', '25'],
    ['deposits', 'show', 'FW-00000-00000-00000'],
    ['candles', 'rebuild', '--from', '2026-11-20', '--until', '2026-11-21'],
    ['pages', 'publish', 'help', '--title', 'Help', '--place', '12'],
    ['actions', 'verify', '--noted', `17:${'0'.repeat(64)}`],
    ['register', 'add-witness', 'key', 'https://witness.example', '--run-by', 'The auditor', '--every', '60'],
    ['settings', 'set', 'withdrawal_pause_hours', '24'],
  ])('F4: are read as numbers by %s %s', (...args) => {
    expect(readCommand(args).kind).toBe('run')
    const addresses = new Set(['https://witness.example'])
    expect(readCommand(args.map((arg) => (addresses.has(arg) ? arg : arabic(arg))))).toMatchObject({ kind: 'run' })
  })

  it('F4: are allowed in a text for people', () => {
    const read = readCommand(['deposits', 'reject', 'FW-00000-00000-00000', '--words', 'الرقم ٢٥'])
    expect(read.kind).toBe('run')
  })
})
