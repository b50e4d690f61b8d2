import { expect, test } from 'vitest'
import { composePost } from '#server/modules/integrations/notifications/rooms/compose-post.ts'

const url = 'https://desk.example/queue?view=reported&item=comment%3Aabc'
const words = { more: (count: number) => `More: ${count}`, deskUrl: 'https://desk.example' }
const HOSTILE = [
  '@everyone @here <!channel> <@U123>',
  '<https://evil.example|the desk>',
  '[the desk](https://evil.example)',
  'see https://evil.example and evil.example',
  '`code` *bold* _it_ ~no~ ||spoiler|| > quote\n# heading',
  'a > b & c < d \\ `` <',
]

test.each(HOSTILE)('in Slack’s format %j mentions nobody, and the only link is the desk’s', (hostile) => {
  const { text } = composePost('slack', [{ words: hostile, url, text: hostile }], words) as { text: string }
  const controls = text.match(/<[^>]*>/g) ?? []
  expect(controls).toHaveLength(1)
  expect(controls[0]).toMatch(/^<https:\/\/desk\.example\/queue\?view=reported&amp;item=comment%3Aabc\|[^|<>]*>$/)
  expect(text.replaceAll(/<https:[^|]*\|/g, '')).not.toMatch(/@\w|:\/\/|evil\.example|[*_~]/)
  // The link, and what was written in one line of code.
  expect(text.match(/`/g)).toHaveLength(2)
  expect(text.split('\n')).toHaveLength(2)
})

test.each(HOSTILE)('in Discord’s format %j mentions nobody, and the only link is the desk’s', (hostile) => {
  const body = composePost('discord', [{ words: hostile, url, text: hostile }], words)
  expect(body).toMatchObject({ allowed_mentions: { parse: [] } })
  const [said = '', link, quoted = '', ...more] = (body as { content: string }).content.split('\n')
  expect(link).toBe(`<${url}>`)
  expect(more).toEqual([])
  expect(`${said}${quoted}`).not.toMatch(/@\w|:\/\/|evil\.example|[*_~|]/)
  expect(said).not.toMatch(/(?<!\\)[<>[\]()]/)
  expect(quoted.match(/`/g)).toHaveLength(2)
})

test.each([
  'slack',
  'discord',
] as const)('a post in the format of %s has at most as much as a chat takes, and says how much is left', (format) => {
  const lines = Array.from({ length: 50 }, (_, at) => ({
    words: `Item ${at} ${'x'.repeat(300)}`,
    url,
    text: 'y'.repeat(300),
  }))
  const body = composePost(format, lines, words) as { text?: string; content?: string }
  const text = body.text ?? body.content ?? ''
  expect(text.length).toBeLessThan(2_000)
  const shown = text.match(/Item \d+/g)?.length ?? 0
  expect(shown).toBeGreaterThan(1)
  expect(text.replaceAll('\u200b', '')).toMatch(new RegExp(`More: ${50 - shown}|More\\\\?: ${50 - shown}`))
})
