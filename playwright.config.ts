import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/lib/process/ensure-system.mjs'

const PHONE = { width: 390, height: 844 }
/** Journeys expect the times of one zone, wherever they run. Other zones have journeys of their own. */
const ZONE = { timezoneId: 'UTC' }

/** Journeys start their own servers through a fixture, so no server is configured here. */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/global-setup.ts',
  fullyParallel: true,
  // More workers than a small machine has cores: journeys mostly wait, for example until a one-minute order expires.
  workers: 6,
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  // Limits that stop hanging journeys: no passing journey comes near them, however busy the machine is.
  timeout: 1_800_000,
  expect: { timeout: 300_000 },
  reporter: [['list'], ['json', { outputFile: process.env['E2E_REPORT'] ?? 'test-results/e2e.json' }]],
  use: {
    actionTimeout: 120_000,
    screenshot: 'only-on-failure',
    locale: 'en-US',
    // Moving parts take half of the browser's work. Files about them, and the main journey, turn them on.
    reducedMotion: 'reduce',
    // The routes of a journey do not see the requests of a service worker. Only the journeys of the installed app allow
    // workers.
    serviceWorkers: 'block',
    launchOptions: {
      // The system's browser: Playwright brings none, and nothing is downloaded. The browser connects to our server only.
      executablePath: findChromium(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-quic',
      ],
    },
  },
  // Each file runs once: on a phone, unless its name ends in `.desktop.spec.ts` or `.firefox.spec.ts`.
  projects: [
    // First, because its one journey takes a minute.
    {
      name: 'firefox',
      testMatch: '**/*.firefox.spec.ts',
      use: {
        // The system's own Firefox, by WebDriver BiDi.
        browserName: 'firefox',
        channel: 'moz-firefox',
        viewport: PHONE,
        launchOptions: { executablePath: './e2e/firefox.mjs' },
      },
    },
    { name: 'desktop', testMatch: '**/*.desktop.spec.ts', use: { ...ZONE, viewport: { width: 1440, height: 900 } } },
    {
      name: 'phone',
      testIgnore: ['**/*.desktop.spec.ts', '**/*.firefox.spec.ts'],
      use: { ...ZONE, viewport: PHONE, hasTouch: true, isMobile: true },
    },
  ],
})
