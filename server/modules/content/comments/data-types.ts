import type { Attachment } from '#server/modules/content/comments/schema.ts'

interface Written {
  data?: Record<string, unknown> | null | undefined
  attachments?: Attachment[] | null | undefined
}

/** A comment's content: text, and the kinds of its attachments. */
export function dataTypesOf(written: Written): string[] {
  const hasText = typeof written.data?.text === 'string' && written.data.text !== ''
  return [...new Set([...(hasText ? ['text'] : []), ...(written.attachments ?? []).map(({ type }) => type)])]
}
