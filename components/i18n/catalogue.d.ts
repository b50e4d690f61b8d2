import type { en } from './messages/en.ts'
import type { many } from './messages/en-many.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: 'en-GB'
    Messages: typeof en & { many: typeof many }
  }
}
