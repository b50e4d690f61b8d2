import type { Language } from '#components/i18n/locale.ts'
import type { Statement } from '#server/modules/network/statements/schema.ts'

type Texts = NonNullable<Statement['policy']>['texts']

/** The text of a policy in a language, else in English, else in the first that there is. */
export function textIn<Text>(texts: Partial<Record<keyof Texts, Text>>, language: Language): Text | undefined {
  return texts[language] ?? texts.en ?? Object.values(texts)[0]
}
