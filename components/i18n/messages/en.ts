import { people } from './en/people.ts'
import { places } from './en/places.ts'
import { queue } from './en/queue.ts'
import { records } from './en/records.ts'
import { settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'

/** Every word the desk says, in ICU message syntax. Other languages follow the shape of this one. */
export const en = {
  ...shell,
  ...signIn,
  ...queue,
  ...people,
  ...places,
  ...settings,
  ...records,
} as const
