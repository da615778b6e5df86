import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { checkCosignature, TestWitness, textOf } from '#test/witness/support/witness-process.ts'

let witness: TestWitness
afterEach(() => witness.remove())

/** Builds a verifier key from the public half of a log's key. */
function keyFrom(name: string, hex: string): string {
  const content = Buffer.concat([Buffer.of(1), Buffer.from(hex, 'hex')])
  const id = createHash('sha256').update(`${name}\n`).update(content).digest().toString('hex', 0, 4)
  return `${name}+${id}+${content.toString('base64')}`
}

const b64 = (...hashes: readonly string[]): string =>
  hashes.map((hash) => `${Buffer.from(hash, 'hex').toString('base64')}\n`).join('')

/** Requests of the tests of litewitness, with the status that litewitness replies. */
const SIGSUM = 'sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562'
const SIGSUM_KEY = keyFrom(SIGSUM, 'ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f')
const SIGNED = {
  1: `${SIGSUM}\n1\nKgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u2014 ${SIGSUM} UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=\n`,
  3: `${SIGSUM}\n3\nRcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=\n\n\u2014 ${SIGSUM} UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=\n`,
  5: `${SIGSUM}\n5\nQrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=\n\n\u2014 ${SIGSUM} UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=\n`,
}
const NODE_1 = '2a01000000000000000000000000000000000000000000000000000000000000'
const NODE_2 = '2a02000000000000000000000000000000000000000000000000000000000000'
const NODE_3 = '2a03000000000000000000000000000000000000000000000000000000000000'
const NODE_4 = '2a04000000000000000000000000000000000000000000000000000000000000'
const NODES_2_3 = 'f9f50357e93def4078237b8aaea24ce1a3f5965a0f64ff26bebd99e30470d8b2'
const NODES_0_1 = 'c2088815d65f60dbfa594d4e96504ab169cb6084bf0c132ab7c521fd2e0eba41'

describe('the witness in recorded exchanges', () => {
  it('replies to the requests of the tests of litewitness as litewitness does', async () => {
    witness = new TestWitness().follow({ verifierKey: SIGSUM_KEY, url: '-' })
    await witness.start()
    const steps: readonly (readonly [string, string, number])[] = [
      ['the first checkpoint', `old 0\n\n${SIGNED[1]}`, 200],
      ['more than 63 hashes', `old 1\n${b64(...Array.from({ length: 64 }, () => NODE_1))}\n${SIGNED[3]}`, 400],
      ['an invalid signature', `old 1\n${b64(NODE_1, NODE_2)}\n${SIGNED[3].replace('6go=', '6gs=')}`, 403],
      ['an unknown log', `old 1\n${b64(NODE_1, NODE_2)}\n${SIGNED[3].replaceAll('e562', 'e561')}`, 404],
      ['no proof', `old 1\n\n${SIGNED[3]}`, 422],
      ['a wrong proof', `old 1\n${b64(NODE_1, NODE_2.replace(/0$/, '1'))}\n${SIGNED[3]}`, 422],
      ['the second checkpoint', `old 1\n${b64(NODE_1, NODE_2)}\n${SIGNED[3]}`, 200],
      ['an old size that is over', `old 1\n${b64(NODE_1, NODES_2_3, NODE_4)}\n${SIGNED[5]}`, 409],
      ['the third checkpoint', `old 3\n${b64(NODE_2, NODE_3, NODES_0_1, NODE_4)}\n${SIGNED[5]}`, 200],
    ]
    for (const [what, body, status] of steps) {
      const reply = await witness.add(body)
      expect(reply, what).toMatchObject({ status })
      if (status === 200)
        expect(
          checkCosignature(witness.verifierKey, reply.body, textOf(body.slice(body.indexOf('\n\n') + 2))),
        ).not.toBeNull()
    }
    expect(witness.sizes().get(SIGSUM)).toBe(5)
  })

  it('cosigns the checkpoint of the Go checksum database, whose key has another name than the log', async () => {
    const verifierKey = 'sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8'
    witness = new TestWitness().follow({ verifierKey, url: '-', origin: 'go.sum database tree' })
    await witness.start()
    const note =
      'go.sum database tree\n35225469\nvt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n\n' +
      '\u2014 sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=\n'
    const reply = await witness.add(`old 0\n\n${note}`)
    expect(reply.status).toBe(200)
    expect(checkCosignature(witness.verifierKey, reply.body, textOf(note))).not.toBeNull()
  })

  it("replies to the requests of the tests of transparency-dev's witness by the standard", async () => {
    const origin = 'Log Checkpoint v0'
    const verifierKey = 'monkeys+db4d9f7e+AULaJMvTtDLHPUcUrjdDad9vDlh/PTfC2VV60JUtCfWT'
    witness = new TestWitness().follow({ verifierKey, url: '-', origin })
    await witness.start()
    const first = `${origin}\n5\n41smjBUiAU70EtKlT6lIOIYtRTYxYXsDB+XHfcvu/BE=\n\n\u2014 monkeys 202ffu1mJ0hrPIodgN0YQV7uZk9CAEzh+hOQyRjkf9CDY1IOr/oiH6WkzGIy7aEF0rw/9SHiZztjDiTOb53i6CE/zQ8=\n`
    const next = `${origin}\n8\nV8K9aklZ4EPB+RMOk1/8VsJUdFZR77GDtZUQq84vSbo=\n\n\u2014 monkeys 202ffm1n5/h7F3x0D6CCysNnqiL2WBu7iubseJggohhX6JBbeLts5NWKY/g0r6yNRVN/k+QJJx1Sii0MzbMUTnmO+wA=\n`
    const proof = b64(
      'b9e1d62618f7fee8034e4c5010f727ab24d8e4705cb296c374bf2025a87a10d2',
      'aac66cd7a79ce4012d80762fe8eec3a77f22d1ca4145c3f4cee022e7efcd599d',
      '89d0f753f66a290c483b39cd5e9eafb12021293395fad3d4a2ad053cfbcfdc9e',
      '29e40bb79c966f4c6fe96aff6f30acfce5f3e8d84c02215175d6e018a5dee833',
    )
    const frog = next
      .replace('Log', 'Frog')
      .replace(
        /202ff\S+/,
        '202ffgCVdfZmrroccRdQoEfn2TfmXHez4R++GvVrFvFiaI85O12aTV5GpNOvWsuQW77eNxQ2b7ggYeglzF/QSy/EBws=',
      )
    const steps: readonly (readonly [string, string, number])[] = [
      ['a proof from the empty tree', `old 0\n${proof}\n${first}`, 422],
      ['the first checkpoint', `old 0\n\n${first}`, 200],
      ['the same checkpoint again', `old 5\n\n${first}`, 200],
      ['hashes of another length', `old 5\nqqo=\nu7s=\nzMw=\n3d0=\n\n${next}`, 400],
      ['another first line', `old 5\n${proof}\n${frog}`, 404],
      ['no proof', `old 5\n\n${next}`, 422],
      ['the next checkpoint', `old 5\n${proof}\n${next}`, 200],
      ['a smaller checkpoint', `old 8\n${proof}\n${first}`, 400],
      ['a smaller checkpoint from its own size', `old 5\n\n${first}`, 409],
    ]
    for (const [what, body, status] of steps) expect(await witness.add(body), what).toMatchObject({ status })
    expect(await witness.add(`old 5\n${proof}\n${next}`)).toEqual({
      status: 409,
      type: 'text/x.tlog.size',
      body: '8\n',
    })
  })
})
