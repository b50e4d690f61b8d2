import { actingUserId, actorName, type Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { digestOf } from '#server/core/ids.ts'
import { askService } from '#server/modules/integrations/translations/ask-service.ts'
import {
  TRANSLATED_LENGTH,
  type TranslateInput,
  type Translation,
} from '#server/modules/integrations/translations/schema.ts'
import type { TranslationParts } from '#server/modules/integrations/translations/translation-parts.ts'
import { readService } from '#server/modules/integrations/translations/translation-service.ts'
import { readItem } from '#server/modules/review/items/read-item.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'

/**
 * Translates an item for a caller who may review it, as far as they can read it: nothing of a conversation that they haven't opened. Nothing is sent unless the
 * network has turned translation on. NOT_FOUND for what the caller may not review, CHANGED if it has another text by now, RATE_LIMITED beyond the requests of a
 * minute; whatever the service does is in the answer.
 */
export async function translateItem(
  ctx: Ctx,
  { version, target, ...subject }: TranslateInput,
  parts: TranslationParts,
): Promise<Translation> {
  const [read, service] = await Promise.all([readItem(ctx, subject), readService(ctx, parts)])
  if (read.item.version !== version) throw new DomainError('CHANGED')
  if (!service?.isOn) return { problem: 'off' }
  const written = writtenIn(read)
  const text = beginningOf(written)
  if (!/\S/.test(text)) return { problem: 'empty' }

  const key = digestOf(JSON.stringify([service.url, target, text])).toString('base64')
  if (!parts.memory.has(key, ctx.now())) await parts.memory.count(actingUserId(ctx) ?? actorName(ctx))
  const answered = await parts.memory.once(key, ctx.now(), () => askService(service, { text, target }, parts))
  const { problem = 'answer', text: translated, language, status } = answered
  if (translated === undefined) return { problem, ...(status !== undefined && { status }) }
  return { text: translated, ...(language !== undefined && { language }), isPartial: text.length < written.length }
}

/** What its author wrote, the title first; the title of a person is their name. */
function writtenIn({ item: { subjectType }, title, text }: ReviewItem): string {
  return subjectType === 'post' && title !== undefined ? `${title}\n\n${text}` : text
}

/** As much as is translated at once, cut where a word begins if there is one near. */
function beginningOf(text: string): string {
  if (text.length <= TRANSLATED_LENGTH) return text
  const beginning = text.slice(0, TRANSLATED_LENGTH)
  const space = beginning.search(/\s\S{0,200}$/)
  return (space > 0 ? beginning.slice(0, space) : beginning).toWellFormed()
}
