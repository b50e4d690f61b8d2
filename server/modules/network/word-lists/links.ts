/** A scheme of reasonable length and what follows it, or what begins with www: each position in the text is checked once. */
const LINK = /(?<![\w.+-])(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)[^\s<>"'`\p{Cc}]+/giu

/** The links in a text, each once, without the punctuation of the sentence around it. */
export function linksIn(text: string): string[] {
  return [...new Set([...text.matchAll(LINK)].map(([found]) => withoutPunctuation(found)))]
}

const LAST = /[.,;:!?*_”’»)\]}…]/

function withoutPunctuation(found: string): string {
  let end = found.length
  while (end > 0 && LAST.test(found.charAt(end - 1))) end -= 1
  return found.slice(0, end)
}
