import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** `npm run pictures`: takes the pictures of the README anew. It is not a test and no part of `npm test`. */
export default defineConfig({
  ...journeys,
  testMatch: '*.pictures.ts',
  reporter: 'list',
  projects: [{ name: 'pictures' }],
})
