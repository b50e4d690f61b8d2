import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

interface Term {
  use: string
  not: RegExp
}

const [NAMES = [], TEXTS = []] = readGlossary()
const CODE = /\.(tsx?|mjs|cjs|sql|prisma)$/
const SEARCHED = /\.(tsx?|mjs|cjs|md|sql|prisma|json)$/
const GENERATED = /^package-lock\.json$|^bench\/RESULTS\.md$|^docs\/events\.schema\.json$/

/** The unwanted words in the files that git tracks or would add, as lines of `path:line: "word": use term`. */
export function findUnwantedWords(): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const files = listed.split('\0').filter((file) => SEARCHED.test(file) && !GENERATED.test(file) && existsSync(file))
  return files.flatMap((file) => unwantedWordsIn(file, readFileSync(file, 'utf8')))
}

/** The unwanted words in one file: names in its path and code, and phrases in what people read. */
export function unwantedWordsIn(file: string, text: string): string[] {
  const inPath = findTerms(NAMES, file).map((found) => `${file}: ${found}`)
  const isCode = CODE.test(file)
  const inLines = text.split('\n').flatMap((line, index) => {
    const terms = [...(isCode ? NAMES : []), ...(isRead(file, line) ? TEXTS : [])]
    return findTerms(terms, line).map((found) => `${file}:${index + 1}: ${found}`)
  })
  return [...inPath, ...inLines]
}

function findTerms(terms: Term[], text: string): string[] {
  return terms.flatMap(({ use, not }) => {
    const found = not.exec(text)
    return found ? [`"${found[0]}": use ${use}`] : []
  })
}

/** Documents, English interface text, comments and names of tests. */
function isRead(file: string, line: string): boolean {
  if (file.endsWith('.md') || file.includes('i18n/messages/en')) return true
  return /^\s*(\/\/|\*|\/\*\*|--|#)/.test(line) || /\b(test|it|describe)\(\s*['"`]/.test(line)
}

/** The sections of glossary.txt. */
function readGlossary(): Term[][] {
  const text = readFileSync(new URL('./glossary.txt', import.meta.url), 'utf8')
  const sections = text.split(/^\[.*\]$/m).slice(1)
  return sections.map((section) =>
    section.split('\n').flatMap((line) => {
      const [, use, not] = /^(.+?): (.+)$/.exec(line) ?? []
      return use && not ? [{ use, not: new RegExp(not) }] : []
    }),
  )
}
