#!/usr/bin/env node
// Starts Firefox ESR for Playwright and relays the messages between them. Playwright sets media features in each new
// context, by a command that Firefox ESR does not know. The relay replies to that command itself, so pages keep the
// features of the machine.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { WebSocket, WebSocketServer } from 'ws'
import { findFirefox } from '../scripts/lib/process/ensure-system.mjs'

const OPTIONAL = 'emulation.setMediaFeaturesOverride'
const LISTENS = /^WebDriver BiDi listening on (ws:\/\/\S+)/

const firefox = spawn(findFirefox(), process.argv.slice(2), {
  stdio: ['ignore', 'ignore', 'pipe'],
})
firefox.on('error', (error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
firefox.on('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => firefox.kill(signal))

for await (const line of createInterface({ input: firefox.stderr })) {
  const address = LISTENS.exec(line)?.[1]
  if (address === undefined) process.stderr.write(`${line}\n`)
  else relayTo(address)
}

/** Listens for Playwright and prints the address in the form that Firefox uses. */
function relayTo(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (playwright, request) => relay(playwright, new WebSocket(address + request.url)))
  server.on('listening', () => {
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}\n`)
  })
}

function relay(playwright, browser) {
  const optional = new Set()
  const early = []
  playwright.on('message', (data) => {
    const text = data.toString()
    const { id, method } = JSON.parse(text)
    if (method === OPTIONAL) optional.add(id)
    if (browser.readyState === WebSocket.OPEN) browser.send(text)
    else early.push(text)
  })
  browser.on('open', () => {
    for (const text of early) browser.send(text)
  })
  browser.on('message', (data) => {
    const text = data.toString()
    const { id, error } = JSON.parse(text)
    const isMissing = optional.delete(id) && error === 'unknown command'
    playwright.send(isMissing ? JSON.stringify({ type: 'success', id, result: {} }) : text)
  })
  browser.on('error', (error) => process.stderr.write(`${error.message}\n`))
  browser.on('close', () => playwright.close())
  playwright.on('close', () => browser.close())
}
