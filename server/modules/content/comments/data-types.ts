import type { Attachment } from '#server/modules/content/comments/schema.ts'
import { textKeyOf } from '#server/modules/content/reviewable/text-key.ts'

interface Written {
  data?: Record<string, unknown> | null | undefined
  attachments?: Attachment[] | null | undefined
}

/** A comment's content: text, and the kinds of its attachments. */
export function dataTypesOf(written: Written): string[] {
  const hasText = typeof written.data?.text === 'string' && written.data.text !== ''
  return [...new Set([...(hasText ? ['text'] : []), ...(written.attachments ?? []).map(({ type }) => type)])]
}

/** The `text_key` of a comment with this content. */
export function commentKey(communityId: string | null, { data, attachments }: Written): string {
  return textKeyOf({ subjectType: 'comment', communityId, data, hasFiles: (attachments ?? []).length > 0 })
}
