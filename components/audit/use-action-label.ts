'use client'
import { type Messages, useTranslations } from 'use-intl'
import { DECIDED, HELD } from '#components/kit/addresses/audit-search.ts'

type Verb = keyof Messages['audit']['verbs']
type Thing = keyof Messages['audit']['things']

/** Actions in words: "approved", "Comment"; falls back to the name in the log. */
export function useActionLabel() {
  const t = useTranslations('audit')
  // Safe: `t.has` checks whether the key exists.
  const verb = (name: string) => (t.has(`verbs.${name as Verb}`) ? t(`verbs.${name as Verb}`) : spelt(name))
  const thing = (type: string) => (t.has(`things.${type as Thing}`) ? t(`things.${type as Thing}`) : spelt(type))
  return {
    thing,
    verb: (action: string) => verb(verbOf(action)),
    /** "Comment: approved". */
    action: (action: string) =>
      action === DECIDED || action === HELD
        ? t(`many.${action}`)
        : t('thingAndVerb', { thing: thing(action.split('.')[0] ?? ''), verb: verb(verbOf(action)) }),
  }
}

const verbOf = (action: string) => action.slice(action.indexOf('.') + 1)

/** An identifier as separate words. */
function spelt(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
}
