import type { Ctx } from '#server/core/ctx.ts'
import { DomainError } from '#server/core/errors.ts'
import { holds } from '#server/core/permissions.ts'
import { findBlockedWord, findForbiddenLink } from '#server/modules/network/word-lists/assert-text-allowed.ts'
import { linksIn } from '#server/modules/network/word-lists/links.ts'
import type { TextTried, TryText } from '#server/modules/network/word-lists/schema.ts'

/**
 * Tests a text in the same way as when somebody writes it; also reports a link that is not on the allow-list while that blocks nobody.
 * Fails with FORBIDDEN without admin MANAGE_NETWORK_SETTINGS.
 */
export async function tryText(ctx: Ctx, { text }: TryText): Promise<TextTried> {
  if (!holds(ctx, 'MANAGE_NETWORK_SETTINGS')) throw new DomainError('FORBIDDEN')
  const links = linksIn(text)
  const [blockedBy, link, refusedLink] = await Promise.all([
    findBlockedWord(ctx, 'content', [text]),
    findForbiddenLink(ctx, links, { always: true }),
    findForbiddenLink(ctx, links),
  ])
  return {
    isRefused: blockedBy !== undefined || refusedLink !== undefined,
    ...(blockedBy !== undefined && { blockedBy }),
    ...(link !== undefined && { foreign: { link, isRefused: refusedLink !== undefined } }),
  }
}
