import type { Catalogue } from './catalogue.ts'
import { notifications } from './de/notifications.ts'
import { people } from './de/people.ts'
import { queue } from './de/queue.ts'
import { records } from './de/records.ts'
import { rules } from './de/rules.ts'
import { settings } from './de/settings.ts'
import { shell } from './de/shell.ts'
import { signIn } from './de/sign-in.ts'
import { spaces } from './de/spaces.ts'
import { statement } from './de/statement.ts'
import { translation } from './de/translation.ts'

export const de = {
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
} as const satisfies Catalogue
