import { notifications } from './en/notifications.ts'
import { people } from './en/people.ts'
import { queue } from './en/queue.ts'
import { records } from './en/records.ts'
import { rules } from './en/rules.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { spaces } from './en/spaces.ts'
import { statement } from './en/statement.ts'
import { translation } from './en/translation.ts'

/** Every message of the interface, in ICU message syntax. The other languages have the same shape. */
export const en = {
  ...shell,
  ...signIn,
  ...queue,
  ...people,
  ...spaces,
  ...settings,
  ...rules,
  ...records,
  ...notifications,
  ...statement,
  ...translation,
} as const
