const TOKENS = /"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g

/** JSON with a line for each value, for reading. Every value stays as it was written, long numbers included; other text stays as it is. */
export function indentJson(text: string): string {
  if (!isJson(text)) return text
  let depth = 0
  const onNextLine = (by: -1 | 0 | 1) => {
    depth += by
    return `\n${'  '.repeat(depth)}`
  }
  return (text.match(TOKENS) ?? []).map((token) => indented(token, onNextLine)).join('')
}

function indented(token: string, onNextLine: (by: -1 | 0 | 1) => string): string {
  switch (token) {
    case '{':
    case '[':
      return `${token}${onNextLine(1)}`
    case '}':
    case ']':
      return `${onNextLine(-1)}${token}`
    case ',':
      return `,${onNextLine(0)}`
    case ':':
      return ': '
    default:
      // An empty list or object is one token.
      return /^[{[]/.test(token) ? token.replace(/\s/g, '') : token
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
