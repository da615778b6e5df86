import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Sha256, toHex } from '#core/proof/bytes.ts'
import { type DayRecord, headOf, isChain, isSound, NO_HEAD } from '#core/proof/day-record.ts'
import { sampleFrom } from '#core/proof/sample-from.ts'
import { leavesOf, totalLiability, PARTS } from '#core/proof/liability.ts'
import { findFaults, type OwnProof, PROOF_FORMAT, PROOF_VERSION } from '#core/proof/own-proof.ts'
import { type Draw, placesOf, quarterFor, shuffle, split } from '#core/proof/split-balance.ts'
import { hashOf, levelsAbove, PLACE_BYTES, placeOf, siblingsOf, sumOf } from '#core/proof/sum-tree.ts'

const sha256: Sha256 = (bytes) => createHash('sha256').update(bytes).digest()

/** Returns a source of random bytes that gives the same bytes for the same seed. */
function randomFrom(seed: number): (count: number) => Uint8Array {
  let draws = 0
  return (count) => {
    draws += 1
    return createHash('shake256', { outputLength: count }).update(`${seed} ${draws}`).digest()
  }
}

const accountId = (at: number) => `0195a000-0000-7000-8000-${at.toString(16).padStart(12, '0')}`
const anyMoney = fc.bigInt({ min: 0n, max: 100_000_000_000_000n })
const anyAccounts = fc.array(fc.record({ cash: anyMoney, staked: anyMoney, withdrawing: anyMoney }), {
  minLength: 1,
  maxLength: 40,
})
type Amounts = { cash: bigint; staked: bigint; withdrawing: bigint }

function shuffledPlaces(size: number, draw: Draw): Uint32Array {
  const places = placesOf(size)
  shuffle(places, draw)
  return places
}

interface Part {
  readonly amount: bigint
  readonly index: number
}

/** Builds the record and the proofs of one day for these accounts. The server's code for this has separate tests. */
function makeDay(accounts: readonly Amounts[], seed: number, change: (planted: Part[][]) => void = () => {}) {
  const randomBytes = randomFrom(seed)
  const draw = sampleFrom(randomBytes)
  const quarter = quarterFor(accounts.length)
  const places = Array.from({ length: PARTS }, () => shuffledPlaces(quarter, draw))
  const level = new Uint8Array(PARTS * quarter * PLACE_BYTES)
  const owners = new Map<number, number>()
  for (let at = 0; at < PARTS * quarter; at++) level.set(placeOf(randomBytes(32), 0n), at * PLACE_BYTES)
  const drawn = accounts.map((amounts, at) =>
    split(totalLiability(amounts), draw).map((amount, part) => ({
      amount,
      index: part * quarter + (places[part]?.[at] ?? 0),
    })),
  )
  change(drawn)
  const planted = drawn.map((parts, at) => {
    const salt = randomBytes(32)
    const cash = parts.reduce((sum, { amount }) => sum + amount, 0n)
    const given = accounts[at]
    const amounts = given && totalLiability(given) === cash ? given : { cash, staked: 0n, withdrawing: 0n }
    const own = parts.map(({ amount }) => amount)
    const leaves = leavesOf(sha256, { ...amounts, accountId: accountId(at), salt }, own)
    for (const [part, { index }] of parts.entries()) {
      level.set(leaves[part] ?? [], index * PLACE_BYTES)
      owners.set(index, at)
    }
    return { amounts, salt, parts }
  })
  const levels = levelsAbove(sha256, level)
  const top = levels.at(-1) ?? level
  const unsigned = {
    number: 1,
    day: '2026-11-21',
    taken_at: '2026-11-21T00:00:01.000Z',
    currency: 'USDT',
    leaves: PARTS * quarter,
    total: String(sumOf(top)),
    root: toHex(hashOf(top)),
    previous: NO_HEAD,
  }
  const record: DayRecord = { ...unsigned, head: headOf(sha256, unsigned) }
  const proofs = planted.map(({ amounts, salt, parts }, at): OwnProof => {
    const { cash, staked, withdrawing } = amounts
    return {
      format: PROOF_FORMAT,
      version: PROOF_VERSION,
      record,
      account: {
        id: accountId(at),
        salt: toHex(salt),
        cash: String(cash),
        staked: String(staked),
        withdrawing: String(withdrawing),
      },
      parts: parts.map(({ amount, index }) => ({
        amount: String(amount),
        index,
        siblings: siblingsOf(levels, index).map((place) => ({ hash: toHex(hashOf(place)), sum: String(sumOf(place)) })),
      })),
    }
  })
  return { record, proofs, owners, quarter, parts: planted.map((account) => account.parts) }
}

const seeds = fc.nat()

describe('the proofs of a day', () => {
  it('LI1: all proofs of a day pass, and add up to the published total', () => {
    fc.assert(
      fc.property(anyAccounts, seeds, (accounts, seed) => {
        const { record, proofs } = makeDay(accounts, seed)
        for (const [at, proof] of proofs.entries()) {
          expect(findFaults(sha256, proof, { accountId: accountId(at), published: [record] })).toEqual([])
        }
        const proved = proofs.flatMap(({ parts }) => parts).reduce((sum, { amount }) => sum + BigInt(amount), 0n)
        expect(String(proved)).toBe(record.total)
        expect(proved).toBe(accounts.reduce((sum, amounts) => sum + totalLiability(amounts), 0n))
      }),
      { numRuns: 30 },
    )
  })

  it('LI2: a proof fails when any single field is changed', () => {
    const { record, proofs } = makeDay(
      [
        { cash: 123_456n, staked: 7_000n, withdrawing: 1n },
        { cash: 5n, staked: 0n, withdrawing: 0n },
      ],
      1,
    )
    const proof = proofs[0]
    if (proof === undefined) throw new Error('there are two')
    const expected = { accountId: accountId(0), published: [record] }
    expect(findFaults(sha256, proof, expected)).toEqual([])
    let changes = 0
    for (const path of fieldsOf(proof)) {
      for (const changed of changesOf(valueAt(proof, path))) {
        changes += 1
        const tampered = withValue(proof, path, changed)
        expect(findFaults(sha256, tampered, expected), `${path.join('.')} = ${JSON.stringify(changed)}`).not.toEqual([])
      }
    }
    expect(changes).toBeGreaterThan(150)
  })

  it('LI2: a proof fails when a part is missing, repeated or in another quarter, or has too long a path', () => {
    const { record, proofs } = makeDay([{ cash: 400n, staked: 0n, withdrawing: 0n }], 2)
    const [proof] = proofs
    if (proof === undefined) throw new Error('there is one')
    const [first, second, third, fourth] = proof.parts
    if (!first || !second || !third || !fourth) throw new Error('there are four')
    for (const parts of [
      [first, second, third],
      [first, first, third, fourth],
      [second, first, third, fourth],
      [first, second, third, { ...fourth, siblings: fourth.siblings.slice(1) }],
      [first, second, third, { ...fourth, siblings: [...fourth.siblings, { hash: NO_HEAD, sum: '0' }] }],
    ]) {
      expect(findFaults(sha256, { ...proof, parts }, { published: [record] })).not.toEqual([])
    }
  })

  it('LI3: a proof is bound to one account: two accounts with equal amounts cannot be shown the same leaves', () => {
    const same = { cash: 100n, staked: 0n, withdrawing: 0n }
    const { record, proofs } = makeDay([same, same], 3)
    const shownToOther = { ...proofs[0], account: { ...proofs[0]?.account, id: accountId(1) } } as OwnProof
    expect(findFaults(sha256, shownToOther, { accountId: accountId(1), published: [record] })).toEqual(['tree'])
    expect(findFaults(sha256, proofs[0] as OwnProof, { accountId: accountId(1) })).toEqual(['account'])
  })

  it('a proof fails when sums below the root would overflow or be negative', () => {
    const { record, proofs } = makeDay([{ cash: 100n, staked: 0n, withdrawing: 0n }], 4)
    const proof = proofs[0] as OwnProof
    for (const sum of ['9223372036854775807', '9223372036854775808', '-1', '00', '1.0', '']) {
      const parts = proof.parts.map((part) => ({ ...part, siblings: part.siblings.map((one) => ({ ...one, sum })) }))
      expect(findFaults(sha256, { ...proof, parts }, { published: [record] }), sum).not.toEqual([])
    }
  })
})

describe('privacy of a proof', () => {
  it('LI3: a proof shows no sum that covers more than one of the four parts of any user', () => {
    fc.assert(
      fc.property(anyAccounts, seeds, (accounts, seed) => {
        const { proofs, owners } = makeDay(accounts, seed)
        for (const [own, proof] of proofs.entries()) {
          for (const { index, siblings } of proof.parts) {
            // The two highest siblings are left out. They cover whole quarters that contain a leaf of the account
            // itself, so their sum is known.
            for (const height of siblings.slice(0, -2).keys()) {
              const first = ((index >> height) ^ 1) << height
              const below = Array.from({ length: 2 ** height }, (_, at) => owners.get(first + at)).filter(
                (owner) => owner !== undefined,
              )
              expect(below).not.toContain(own)
              expect(below.length).toBe(new Set(below).size)
            }
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it('the proofs of all other users together do not reveal the balances of two users', () => {
    fc.assert(
      fc.property(
        fc.array(fc.bigInt({ min: 2n, max: 10n ** 14n }), { minLength: 3, maxLength: 25 }),
        seeds,
        (cash, seed) => {
          const accounts = cash.map((amount) => ({ cash: amount, staked: 0n, withdrawing: 0n }))
          const real = makeDay(accounts, seed)
          const isOther = (at: number) => real.parts[0]?.[at]?.amount !== real.parts[1]?.[at]?.amount
          const swapped = [0, 1, 2, 3].find(isOther)
          fc.pre(swapped !== undefined)
          // The two accounts swap their leaves in one quarter, so the amounts owed to both change.
          const swappedDay = makeDay(accounts, seed, ([one, two]) => {
            const [first, second] = [one?.[swapped], two?.[swapped]]
            if (one && two && first && second) [one[swapped], two[swapped]] = [second, first]
          })
          for (const at of [0, 1]) expect(swappedDay.proofs[at]?.account.cash).not.toBe(real.proofs[at]?.account.cash)
          // Hashes contain salts that no other user has. All other values that other users see are the same.
          const shown = ({ proofs }: typeof real) =>
            JSON.stringify(proofs.slice(2)).replaceAll(/"(?:[0-9a-f]{64})"/g, '"hash"')
          expect(shown(swappedDay)).toBe(shown(real))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('without its salt, a leaf cannot be recognised even by all its other data', () => {
    const accounts = [1n, 250n, 99_999n].map((cash) => ({ cash, staked: 0n, withdrawing: 0n }))
    const { proofs, parts } = makeDay(accounts, 11)
    const seen = new Set(
      proofs.slice(1).flatMap((proof) => proof.parts.flatMap(({ siblings }) => siblings.map(({ hash }) => hash))),
    )
    const amounts = parts[0]?.map(({ amount }) => amount) ?? []
    const facts = { ...(accounts[0] as Amounts), accountId: accountId(0) }
    for (const salt of [new Uint8Array(32), Uint8Array.from(Buffer.from(proofs[1]?.account.salt ?? '', 'hex'))]) {
      for (const leaf of leavesOf(sha256, { ...facts, salt }, amounts)) expect(seen).not.toContain(toHex(hashOf(leaf)))
    }
  })

  it('LI3: a proof shows no leaf with the whole amount owed to a user', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 2n, max: 10n ** 14n }), seeds, (amount, seed) => {
        const parts = split(amount, sampleFrom(randomFrom(seed)))
        expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(amount)
        expect(parts.every((part) => part >= 0n && part < amount)).toBe(true)
      }),
    )
    expect(split(0n, sampleFrom(randomFrom(1)))).toEqual([0n, 0n, 0n, 0n])
    expect(
      split(1n, sampleFrom(randomFrom(1)))
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual([0, 0, 0, 1])
  })

  it('the four parts of an amount average a quarter of the amount and vary over the whole range', () => {
    const draw = sampleFrom(randomFrom(5))
    const amount = 1_000_000n
    const drawn = Array.from({ length: 4_000 }, () => split(amount, draw))
    for (let part = 0; part < PARTS; part++) {
      const shares = drawn.map((parts) => Number(parts[part]) / Number(amount))
      expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeCloseTo(0.25, 1)
      // When a whole is split at random into four, 10 % of the shares are below 0.035 and 10 % above 0.53.
      expect(shares.filter((share) => share < 0.035).length / shares.length).toBeCloseTo(0.1, 1)
      expect(shares.filter((share) => share > 0.536).length / shares.length).toBeCloseTo(0.1, 1)
    }
  })

  it('LI3: the position of a leaf does not tell its account: an account gets each position in a quarter with the same probability', () => {
    const draw = sampleFrom(randomFrom(6))
    const rounds = 4_000
    const seen = Array.from({ length: 16 }, () => 0)
    let together = 0
    for (let round = 0; round < rounds; round++) {
      const [first = 0, second = 0] = [shuffledPlaces(16, draw)[0], shuffledPlaces(16, draw)[0]]
      seen[first] = (seen[first] ?? 0) + 1
      if (first === second) together += 1
    }
    for (const count of seen) expect(count / rounds).toBeCloseTo(1 / 16, 1)
    const chiSquare = seen.reduce((sum, count) => sum + (count - rounds / 16) ** 2 / (rounds / 16), 0)
    expect(chiSquare, 'of 15 degrees of freedom, exceeded once in 10,000').toBeLessThan(44.3)
    expect(together / rounds).toBeCloseTo(1 / 16, 1)
  })

  it('an account gets different leaves each day, so that nobody can guess amounts by comparing days', () => {
    const accounts = [{ cash: 100n, staked: 0n, withdrawing: 0n }]
    const [one, other] = [makeDay(accounts, 7), makeDay(accounts, 8)]
    expect(one.record.root).not.toBe(other.record.root)
    expect(one.proofs[0]?.account.salt).not.toBe(other.proofs[0]?.account.salt)
  })

  it('a proof reveals only roughly how many accounts exist', () => {
    expect([0, 1, 16, 17, 1_000, 100_000].map(quarterFor)).toEqual([16, 16, 16, 32, 1_024, 131_072])
  })
})

describe('the chain of days', () => {
  const dayAfter = (before: DayRecord): DayRecord => {
    const recordedAt = new Date(Date.parse(before.taken_at) + 86_400_000).toISOString()
    const { head, number, ...rest } = before
    const next = { ...rest, number: number + 1, taken_at: recordedAt, day: recordedAt.slice(0, 10), previous: head }
    return { ...next, head: headOf(sha256, next) }
  }
  const first = makeDay([{ cash: 1n, staked: 0n, withdrawing: 0n }], 9).record
  const second = dayAfter(first)
  const third = dayAfter(second)

  it('a chain is valid from its beginning or from a later day', () => {
    expect(isChain(sha256, [third, second, first])).toBe(true)
    expect(isChain(sha256, [third, second])).toBe(true)
    expect(isChain(sha256, [])).toBe(true)
  })

  it.each<[string, DayRecord[]]>([
    ['a day is missing', [third, first]],
    ['days are in another order', [second, third, first]],
    ['a day comes twice', [third, second, second, first]],
    ['a total was changed', [third, { ...second, total: '2' }, first]],
    ['a total was changed with its head', [third, resigned({ ...second, total: '2' }), first]],
    ['the first day names an unknown previous head', [resigned({ ...first, previous: 'a'.repeat(64) })]],
  ])('LI2: breaks when %s', (_, records) => {
    expect(isChain(sha256, records)).toBe(false)
  })

  it.each([
    ['total', '01'],
    ['total', '-1'],
    ['leaves', 48],
    ['leaves', 2],
    ['number', 0],
    ['day', '2026-11-22'],
    ['taken_at', '2026-11-21'],
    ['root', 'AB'],
    ['currency', ''],
  ])('a day record whose %s is %j is refused', (field, value) => {
    expect(isSound(sha256, { ...first, [field]: value })).toBe(false)
  })

  it('a proof is refused if its day was published differently, or not at all', () => {
    const { proofs, record } = makeDay([{ cash: 1n, staked: 0n, withdrawing: 0n }], 10)
    const proof = proofs[0] as OwnProof
    expect(findFaults(sha256, proof, { published: [dayAfter(record), record] })).toEqual([])
    expect(findFaults(sha256, proof, { published: [resigned({ ...record, total: '2' })] })).toEqual(['published'])
    expect(findFaults(sha256, proof, { published: [] })).toEqual(['published'])
    expect(findFaults(sha256, proof, { published: [dayAfter(first), record] })).toEqual(['published'])
  })

  function resigned(record: DayRecord): DayRecord {
    return { ...record, head: headOf(sha256, record) }
  }
})

type Path = readonly (string | number)[]

function* fieldsOf(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) yield path
  else for (const [key, inner] of Object.entries(value)) yield* fieldsOf(inner, [...path, key])
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value)
}

/** Returns changed values of a field. Each of them must make the proof fail. */
function changesOf(value: unknown): unknown[] {
  if (typeof value === 'number') return [value + 1, -value - 1, value + 0.5]
  const text = String(value)
  const last = text.at(-1) ?? ''
  return [`${text.slice(0, -1)}${last === '1' ? '2' : '1'}`, `${text}0`, text.slice(1), '']
}

function withValue(proof: OwnProof, path: Path, value: unknown): OwnProof {
  const copy = structuredClone(proof)
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>
  holder[path.at(-1) ?? ''] = value
  return copy
}
