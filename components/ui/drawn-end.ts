/** What a browser needs to draw one paragraph grows faster than its length: with odd characters, to seconds. */
const DRAWN_CHARACTERS = 4_000
const DRAWN_LINES = 200

/** Where the part of a text ends that is drawn at once: between characters. */
export function drawnEnd(text: string): number {
  let end = text.length
  if (end > DRAWN_CHARACTERS)
    end = (text.codePointAt(DRAWN_CHARACTERS - 1) ?? 0) > 0xffff ? DRAWN_CHARACTERS - 1 : DRAWN_CHARACTERS
  let lineEnd = -1
  for (let line = 0; line < DRAWN_LINES; line++) {
    lineEnd = text.indexOf('\n', lineEnd + 1)
    if (lineEnd === -1 || lineEnd >= end) return end
  }
  return lineEnd
}
