import { type ChildProcess, spawn } from 'node:child_process'
import { freePort } from '#test/support/nats-server.ts'

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const PATIENCE_MS = 60_000
const POLL_MS = 200

/**
 * Finds the first visible element with this role whose accessible name (label, `aria-label` or text) matches. The code
 * is a text, because it runs inside the page.
 */
const FIND = `
  const [role, source] = arguments
  const name = new RegExp(source)
  const TAGS = {
    button: 'button, [role=button]', link: 'a[href]', heading: 'h1, h2, h3, [role=heading]', status: '[role=status], output',
    field: 'input, select, textarea', radio: 'input[type=radio], [role=radio]', text: 'p, span, div, li, strong',
  }
  const nameOf = (element) => {
    const label = element.getAttribute('aria-label')
    if (label !== null) return label
    if ('labels' in element && element.labels?.length > 0) return element.labels[0].innerText
    return element.innerText ?? ''
  }
  const isShown = (element) => element.getClientRects().length > 0
  return [...document.querySelectorAll(TAGS[role])].find((e) => isShown(e) && name.test(nameOf(e).trim())) ?? null`

/** The kinds of element that a drill looks for. */
export type Role = 'button' | 'link' | 'heading' | 'status' | 'field' | 'radio' | 'text'

/** A browser that is driven by the WebDriver protocol (W3C). */
export class Browser {
  readonly #session: string
  readonly #processes: readonly ChildProcess[]

  private constructor(session: string, processes: readonly ChildProcess[]) {
    this.#session = session
    this.#processes = processes
  }

  /** Starts a driver program and a browser on a virtual display. `capabilities` choose the browser. */
  static async start(driver: string, capabilities: object, size: { width: number; height: number }): Promise<Browser> {
    const display = `:${90 + (process.pid % 100)}`
    const screen = spawn('Xvfb', [display, '-screen', '0', '1600x1200x24'], { stdio: 'ignore' })
    const port = await freePort()
    const env = { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' }
    const child = spawn(driver, [`--port=${port}`], { env, stdio: 'ignore' })
    const processes = [child, screen]
    const address = `http://127.0.0.1:${port}/session`
    const created = await until(() => call(address, { capabilities: { alwaysMatch: capabilities } }))
    const browser = new Browser(`${address}/${(created as { sessionId: string }).sessionId}`, processes)
    await call(`${browser.#session}/window/rect`, { x: 0, y: 0, ...size })
    return browser
  }

  async open(address: string): Promise<void> {
    await call(`${this.#session}/url`, { url: address })
  }

  /** Runs the body of a function in the page and returns its result. */
  async run(body: string, ...args: unknown[]): Promise<unknown> {
    return call(`${this.#session}/execute/sync`, { script: body, args })
  }

  /** Waits for an element. Throws with the page's text when the element does not appear in time. */
  async find(role: Role, name: RegExp, patienceMs = PATIENCE_MS): Promise<string> {
    try {
      return await until(async () => {
        const found = await this.#look(role, name)
        if (found === null) throw new Error('not there')
        return found
      }, patienceMs)
    } catch {
      const text = await this.run('return `${location.href}\\n${document.body.innerText}`')
      throw new Error(`No ${role} ${String(name)} on the page ${String(text)}`)
    }
  }

  /** Waits until the page has no such element. */
  async gone(role: Role, name: RegExp): Promise<void> {
    await until(async () => {
      if ((await this.#look(role, name)) !== null) throw new Error(`${role} ${String(name)} is still there`)
    })
  }

  async #look(role: Role, name: RegExp): Promise<string | null> {
    const found = (await this.run(FIND, role, name.source)) as Record<string, string> | null
    return found?.[ELEMENT] ?? null
  }

  async press(role: Role, name: RegExp): Promise<void> {
    // The page may move or replace the element between the two calls.
    await until(async () => call(`${this.#session}/element/${await this.find(role, name)}/click`, {}))
  }

  async type(name: RegExp, text: string): Promise<void> {
    const field = await this.find('field', name)
    // The page may fill the field at the same moment, so the text is typed again until the field keeps it.
    await until(async () => {
      await call(`${this.#session}/element/${field}/clear`, {})
      await call(`${this.#session}/element/${field}/value`, { text })
      const typed = String(await this.run('return arguments[0].value', { [ELEMENT]: field }))
      if (typed.replaceAll(' ', '') !== text) throw new Error(`the field has ${typed} instead of ${text}`)
    })
  }

  async choose(name: RegExp, value: string): Promise<void> {
    const list = await this.find('field', name)
    const option = await call(`${this.#session}/element/${list}/element`, {
      using: 'css selector',
      value: `option[value="${value}"]`,
    })
    await call(`${this.#session}/element/${(option as Record<string, string>)[ELEMENT]}/click`, {})
  }

  async stop(): Promise<void> {
    await fetch(this.#session, { method: 'DELETE' }).catch(() => undefined)
    for (const child of this.#processes) child.kill()
  }
}

async function call(address: string, body: object): Promise<unknown> {
  const reply = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  const { value } = (await reply.json()) as { value: { message?: string; error?: string } }
  if (!reply.ok) throw new Error(`${value.error}: ${value.message}`)
  return value
}

/** Repeats a call until it does not throw. Throws the last error when the time is over. */
async function until<T>(attempt: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const started = performance.now()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (performance.now() - started > patienceMs) throw error
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
}
