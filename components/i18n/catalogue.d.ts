import type { en } from './messages/en.ts'
import type { many } from './messages/en-many.ts'
import type { settings } from './messages/en-settings.ts'

declare module 'use-intl' {
  interface AppConfig {
    Locale: 'en-GB'
    /** Some come with a part of the desk that is loaded on demand: see `WithWords`. */
    Messages: Omit<typeof en, 'settings'> & { many: typeof many; settings: typeof settings }
  }
}
