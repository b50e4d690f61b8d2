import { defineConfig } from '@playwright/test'
import desk from '../../playwright.config.ts'

/** Takes the screenshots of docs/screens from the sample data: `npm run screens`. One worker, since they share the data. */
export default defineConfig({
  ...desk,
  reporter: 'list',
  testDir: '.',
  testIgnore: [],
  globalSetup: './start-stage.ts',
  workers: 1,
  use: { ...desk.use, timezoneId: 'Asia/Kathmandu', contextOptions: { reducedMotion: 'reduce' }, trace: 'off' },
})
