/** The language of a text as a code of two letters; undefined where the text doesn't say. */
export type LanguageOf = (text: string) => string | undefined

/** Loads 30 MB of statistics, so only for rules that ask for languages. Few texts under 20 characters are enough to be sure. */
export async function loadLanguages(): Promise<LanguageOf> {
  const { eld } = await import('eld/extrasmall')
  return (text) => {
    const detected = eld.detect(text)
    return detected.isReliable() ? detected.language : undefined
  }
}
