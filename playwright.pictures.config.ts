import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run pictures`: takes the pictures of the README again. `npm test` does not run it. */
export default defineConfig({
  ...journeys,
  testMatch: '*.pictures.ts',
  reporter: 'list',
  projects: [{ name: 'pictures' }],
})
