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
    [['deposits'], 'deposits needs a second word. One of: list, show, approve, reject'],
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

  it('prints help on request', () => {
    for (const { name } of COMMANDS) {
      const { exitCode, lines } = run(...name.split(' '), '--help')
      expect([exitCode, lines[0]]).toEqual([0, expect.stringContaining(`npm run admin -- ${name}`)])
    }
    expect(run('--help').lines.join('\n')).toContain('deposits reject <trx> --words "…"')
    expect(run().exitCode).toBe(0)
  })
})

it('contains no command that could set a price or a result', () => {
  const said = COMMANDS.flatMap(({ name, takes, options }) => [name, ...takes, ...Object.keys(options)])
  for (const word of said) expect(word).not.toMatch(/\b(price|result|payout|profit|odds|tick|order|win|lose)/)
})
