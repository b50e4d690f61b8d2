import type { Attachment } from '#server/modules/content/comments/schema.ts'
import { textBandsOf } from '#server/modules/content/reviewable/text-bands.ts'
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

/** The `text_key` and the `text_bands` of a comment with this content that is held at this time. */
export function commentMarks(
  communityId: string | null,
  { data, attachments }: Written,
  heldAt: Date,
): { textKey: string; textBands: number[] | null } {
  const written = { subjectType: 'comment', communityId, data, hasFiles: (attachments ?? []).length > 0 } as const
  return { textKey: textKeyOf(written), textBands: textBandsOf(written, heldAt) }
}

/** Those of a comment that isn't held. */
export const NO_MARKS = { textKey: null, textBands: null }
