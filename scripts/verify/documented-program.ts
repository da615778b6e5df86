import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Documentation pages that contain a checking program. */
export type ProgramPage = 'receipts' | 'liabilities'

/** Extracts the program from a page. It depends on nothing else. */
function documentedProgram(page: ProgramPage): string {
  const documentation = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8')
  return /```python\n([\s\S]*?)```/.exec(documentation)?.[1] ?? ''
}

/** A file to check and optionally the published keys, both as text. */
export interface GivenFile {
  readonly file: string
  readonly keys?: string
}

/** The output and exit code of the program. */
export interface Said {
  readonly exitCode: number | null
  readonly text: string
}

/**
 * Runs the program on many files in one process, as a process start takes longer than a check. Its functions are
 * defined once, and its main part runs for each file, with file names that map to memory. Valid signatures are cached,
 * as most files differ elsewhere.
 */
const RUN_ALL = `
import ast, contextlib, functools, io, json, sys
given = json.load(sys.stdin)
*definitions, work = ast.parse(given["program"]).body
compiled = lambda body: compile(ast.Module(body, []), "check.py", "exec")
space = {}
exec(compiled(definitions), space)
if "verify" in space:
    space["verify"] = functools.lru_cache(None)(space["verify"])
space["open"] = lambda name, **_: io.StringIO(texts[name])
work, said = compiled([work]), []
for texts in given["files"]:
    sys.argv = ["check.py", *texts]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        try:
            exec(work, space)
            code = 0
        except SystemExit as end:
            code = end.code
        except BaseException as error:
            code = -1
            print("crashed:", repr(error))
    said.append({"exitCode": code, "text": out.getvalue().rstrip()})
print(json.dumps(said))`

/** Runs the program of a page on many files, passed as text. */
export function runDocumentedProgram(page: ProgramPage, files: readonly GivenFile[]): Said[] {
  const input = JSON.stringify({ program: readFileSync(placeOf(page), 'utf8'), files })
  const printed = execFileSync('python3', ['-c', RUN_ALL], { input, encoding: 'utf8', maxBuffer: 2 ** 28 })
  return JSON.parse(printed) as Said[]
}

/** Runs the program of a page as a reader does: in its own process, with file names. */
export function startDocumentedProgram(
  page: ProgramPage,
  names: readonly string[],
): Said & { readonly stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'fairwick-program-'))
  try {
    const program = join(folder, 'check.py')
    writeFileSync(program, documentedProgram(page))
    // An ASCII locale: the program must not depend on the machine's locale.
    const env = { ...process.env, LC_ALL: 'C', PYTHONUTF8: '0' }
    const run = spawnSync('python3', [program, ...names], { encoding: 'utf8', env })
    return { exitCode: run.status, text: run.stdout.trimEnd(), stderr: run.stderr }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
