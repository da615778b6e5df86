import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The programs in the documentation, with which anyone can check receipts and proofs. */
export type ProgramPage = 'receipts' | 'liabilities'

const FILES: Readonly<Record<ProgramPage, string>> = {
  receipts: 'check-receipt.py',
  liabilities: 'check-liabilities.py',
}

const placeOf = (page: ProgramPage) => fileURLToPath(new URL(`../../docs/reference/${FILES[page]}`, import.meta.url))

/** A file to check, and the published keys if they are to be used, both as text. */
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
 * Runs the program on many files in one process, as a process start takes longer than a check. The functions of the
 * program are defined once. Its main part runs for each file, with file names that map to memory. Valid signatures are
 * cached, as most files differ elsewhere.
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
  // A plain ASCII locale, so that the program cannot depend on the locale of the machine.
  const env = { ...process.env, LC_ALL: 'C', PYTHONUTF8: '0' }
  const run = spawnSync('python3', [placeOf(page), ...names], { encoding: 'utf8', env })
  return { exitCode: run.status, text: run.stdout.trimEnd(), stderr: run.stderr }
}
