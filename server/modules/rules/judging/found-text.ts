import { excerptAround } from '#server/core/excerpt.ts'
import type { RuleReason } from '#server/modules/rules/judging/schema.ts'

/** What a rule found, and the parts of the title and the text that it is in. */
export interface FoundText {
  title?: string
  text: string
  found: RuleReason['found']
}

export function foundTextOf(content: Record<string, unknown> | null, found: RuleReason['found']): FoundText {
  const part = (field: 'title' | 'text') => {
    const words = content?.[field]
    return excerptAround(
      typeof words === 'string' ? words : '',
      found.filter((one) => one.field === field),
    )
  }
  const [title, text] = [part('title'), part('text')]
  return { ...(title.text !== '' && { title: title.text }), text: text.text, found: [...title.found, ...text.found] }
}
