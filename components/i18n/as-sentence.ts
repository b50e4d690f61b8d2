const ENDS = /[.!?…:;。！？؟؛।]["'”’»)\]]*$/u

/** The text with a full stop unless it already ends as a sentence, so that another sentence can follow it. */
export function asSentence(text: string): string {
  const trimmed = text.trimEnd()
  return ENDS.test(trimmed) ? trimmed : `${trimmed}.`
}
