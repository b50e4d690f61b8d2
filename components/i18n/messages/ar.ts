import { notifications } from './ar/notifications.ts'
import { people } from './ar/people.ts'
import { queue } from './ar/queue.ts'
import { records } from './ar/records.ts'
import { rules } from './ar/rules.ts'
import { settings } from './ar/settings.ts'
import { shell } from './ar/shell.ts'
import { signIn } from './ar/sign-in.ts'
import { spaces } from './ar/spaces.ts'
import { statement } from './ar/statement.ts'
import { translation } from './ar/translation.ts'
import type { Catalogue } from './catalogue.ts'

export const ar = {
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
