import type { en } from './messages/en.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: 'en-GB'
    Messages: typeof en
  }
}
