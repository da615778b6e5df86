import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Whether there is a Python to run the program of the documentation with. */
export const hasPython = spawnSync('python3', ['--version']).status === 0

/** The program at the end of docs/receipts.md: all that it knows it knows from there. */
export function documentedProgram(): string {
  const documentation = readFileSync(new URL('../../docs/receipts.md', import.meta.url), 'utf8')
  return /```python\n([\s\S]*?)```/.exec(documentation)?.[1] ?? ''
}

/** A file to check, and the published keys if they are to be used, both as text. */
export interface GivenFile {
  readonly file: string
  readonly keys?: string
}

/** What the program said, and the code it ended with. */
export interface Said {
  readonly exitCode: number
  readonly text: string
}

/**
 * The program over many files in one process: starting one takes longer than a check. Its functions are defined once and
 * what it does is run for each file, which it opens by names that lead to memory. A signature that was right is
 * remembered, as most files differ elsewhere.
 */
const RUN_ALL = `
import ast, contextlib, functools, io, json, sys
given = json.load(sys.stdin)
*definitions, work = ast.parse(given["program"]).body
compiled = lambda body: compile(ast.Module(body, []), "check.py", "exec")
space = {}
exec(compiled(definitions), space)
space["verify"] = functools.lru_cache(None)(space["verify"])
space["open"] = lambda name: io.StringIO(texts[name])
work, said = compiled([work]), []
for texts in given["files"]:
    sys.argv = ["check.py", *texts]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(work, space)
            code = 0
        except SystemExit as end:
            code = end.code
        except Exception as error:
            code = -1
            print("crashed:", repr(error))
    said.append({"exitCode": code, "text": out.getvalue().rstrip()})
print(json.dumps(said))`

export function runDocumentedProgram(files: readonly GivenFile[]): Said[] {
  const input = JSON.stringify({ program: documentedProgram(), files })
  const printed = execFileSync('python3', ['-c', RUN_ALL], { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return JSON.parse(printed) as Said[]
}
