import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../locale.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'

interface Words {
  [key: string]: string | Words
}

const ENGLISH = messagesOf(en)
const CATALOGUES: Record<Language, Words> = { en, de, ar }

describe.each(Object.entries(CATALOGUES))('the catalogue of %s', (language, words) => {
  const { locale } = LANGUAGES[language as Language]
  const messages = messagesOf(words)

  test('has exactly the messages of the desk', () => {
    expect([...messages.keys()].sort()).toEqual([...ENGLISH.keys()].sort())
  })

  test('uses the same arguments as the English message', () => {
    expect(eachOf(messages, placesIn)).toEqual(eachOf(ENGLISH, placesIn))
  })

  test('uses the plural categories of its language, or none', () => {
    const categories = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    const ordinals = new Intl.PluralRules(locale, { type: 'ordinal' }).resolvedOptions().pluralCategories
    const missing = [...messages].flatMap(([key, message]) =>
      pluralsIn(parse(message)).flatMap(({ forms, isOrdinal }) =>
        (isOrdinal ? ordinals : categories).filter((form) => !forms.includes(form)).map((form) => `${key}: ${form}`),
      ),
    )
    expect(missing).toEqual([])
  })

  // In a choice within the plural, `#` isn't the number.
  test('shows no number sign in place of a number', () => {
    expect([...messages].filter(([, message]) => hasNumberSign(parse(message))).map(([key]) => key)).toEqual([])
  })

  test.skipIf(language === 'en')('leaves no sentence untranslated', () => {
    const left = [...messages].filter(([key, message]) => message === ENGLISH.get(key) && saysSomething(message))
    expect(left).toEqual([])
  })
})

/** The messages by dotted key. */
function messagesOf(words: Words, before = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string' ? [[before + key, value] as const] : [...messagesOf(value, `${before}${key}.`)],
    ),
  )
}

function eachOf(messages: Map<string, string>, read: (elements: MessageFormatElement[]) => string[]) {
  return Object.fromEntries([...ENGLISH.keys()].map((key) => [key, read(parse(messages.get(key) ?? ''))]))
}

/** The arguments and tags of a message, and the options of a choice; their number and order may differ between languages. */
function placesIn(elements: MessageFormatElement[]): string[] {
  const places = elements.flatMap((element): string[] => {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        return []
      case TYPE.tag:
        return [`<${element.value}>`, ...placesIn(element.children)]
      case TYPE.plural:
        return [`{${element.value}}`, ...optionsOf(element).flatMap(placesIn)]
      case TYPE.select:
        return [
          `{${element.value}}`,
          `{${element.value} of ${Object.keys(element.options).sort()}}`,
          ...optionsOf(element).flatMap(placesIn),
        ]
      default:
        return [`{${element.value}}`]
    }
  })
  return [...new Set(places)].sort()
}

function hasNumberSign(elements: MessageFormatElement[]): boolean {
  return elements.some((element) => {
    if (element.type === TYPE.literal) return element.value.includes('#')
    if (element.type === TYPE.tag) return hasNumberSign(element.children)
    return 'options' in element && optionsOf(element).some(hasNumberSign)
  })
}

function pluralsIn(elements: MessageFormatElement[]): { forms: string[]; isOrdinal: boolean }[] {
  return elements.flatMap((element) => {
    switch (element.type) {
      case TYPE.tag:
        return pluralsIn(element.children)
      case TYPE.plural:
        return [
          ...(areApart(element.options)
            ? [{ forms: Object.keys(element.options), isOrdinal: element.pluralType === 'ordinal' }]
            : []),
          ...optionsOf(element).flatMap(pluralsIn),
        ]
      case TYPE.select:
        return optionsOf(element).flatMap(pluralsIn)
      default:
        return []
    }
  })
}

/** Whether a choice has options besides exact numbers and `other`: only those depend on a language's plural forms. */
const areApart = (options: object) => Object.keys(options).some((form) => form !== 'other' && !form.startsWith('='))

const optionsOf = ({ options }: { options: Record<string, { value: MessageFormatElement[] }> }) =>
  Object.values(options).map(({ value }) => value)

/** Three words or more: names, units and words that are the same in both languages are shorter. */
const saysSomething = (message: string) => (message.replace(/[{<].*?[}>]/g, ' ').match(/\p{L}{2,}/gu)?.length ?? 0) >= 3
