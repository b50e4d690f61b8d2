import type { Ctx } from '#server/core/ctx.ts'
import { Prisma, queryOne } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { linksIn } from '#server/modules/lists/links.ts'
import type { ListCategory } from '#server/modules/lists/schema.ts'

/** Looking for each rule in each link has to end: nobody means well with more. */
const LINKS_IN_ONE_TEXT = 50

/**
 * Refuses what somebody is about to say, any text within it: BLOCKED_WORD where a rule of the block-list is found in it,
 * LINK_NOT_ALLOWED for a link that is not on the allow-list while the network wants that (`isWhitelistEnabled`).
 */
export async function refuseListed(ctx: Ctx, written: unknown[]): Promise<void> {
  const said = written.flatMap(textsIn)
  if (said.length === 0) return
  await refuseBlockedWords(ctx, 'content', said)
  await refuseForeignLinks(ctx, linksIn(said.join('\n')))
}

/** Looks for each rule once, whatever number of texts there is. */
export async function refuseBlockedWords(ctx: Ctx, category: ListCategory, texts: string[]): Promise<void> {
  const blocked = await queryOne(
    ctx,
    Prisma.sql`
    select true as blocked from list_rule r
    where r.list = 'block' and r.category = ${category}::list_category and ${texts.join('\n')} ~* r.matcher limit 1`,
  )
  if (blocked !== undefined) throw new DomainError('BLOCKED_WORD')
}

/** Asks nothing of the list while the network does not want it (`isWhitelistEnabled`). */
export async function refuseForeignLinks(ctx: Ctx, links: string[]): Promise<void> {
  if (links.length === 0) return

  // Rules outside, links within: PostgreSQL builds each rule's automaton once.
  const foreign = await queryOne(
    ctx,
    Prisma.sql`
    select true as "isForeign" from network_settings s
    where s.is_whitelist_enabled and (${links.length > LINKS_IN_ONE_TEXT} or exists (
      select link from unnest(${links.slice(0, LINKS_IN_ONE_TEXT)}::text[]) as link
      except
      select matched.link from list_rule r
      cross join lateral (select link from unnest(${links.slice(0, LINKS_IN_ONE_TEXT)}::text[]) as link where link ~* r.matcher) matched
      where r.list = 'allow' and r.category = 'content'))`,
  )
  if (foreign !== undefined) throw new DomainError('LINK_NOT_ALLOWED')
}

/** Every text within a body of any shape. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
