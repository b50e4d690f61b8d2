import type { Attachment } from '#server/modules/content/comments/schema.ts'

/** What a comment is made of: words, and the kinds of what is attached. */
export function dataTypesOf(written: {
  data?: Record<string, unknown> | null | undefined
  attachments?: Attachment[] | null | undefined
}): string[] {
  const hasText = typeof written.data?.text === 'string' && written.data.text !== ''
  return [...new Set([...(hasText ? ['text'] : []), ...(written.attachments ?? []).map(({ type }) => type)])]
}
