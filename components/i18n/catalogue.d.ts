import type { LanguageFacts } from './locale.ts'
import type { en } from './messages/en.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: LanguageFacts['locale']
    Messages: typeof en
  }
}
