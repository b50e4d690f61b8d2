import type { Ctx } from '#server/core/ctx.ts'
import { queryOne, sql } from '#server/core/db.ts'
import { DomainError } from '#server/core/errors.ts'
import { fold } from '#server/core/folding/fold.ts'
import { withoutAccents } from '#server/core/folding/without-accents.ts'
import { linksIn } from '#server/modules/network/word-lists/links.ts'
import type { ListCategory } from '#server/modules/network/word-lists/schema.ts'

/** Matching each rule against each link has to end: no legitimate text has more links. */
const LINKS_IN_ONE_TEXT = 50

/**
 * Checks any text within what somebody is about to write: fails with BLOCKED_WORD where a rule of the block-list matches it, and with
 * LINK_NOT_ALLOWED for a link that is not on the allow-list while the network requires that (`isWhitelistEnabled`).
 */
export async function assertTextAllowed(ctx: Ctx, written: unknown[]): Promise<void> {
  const said = written.flatMap(textsIn)
  if (said.length === 0) return
  await assertNoBlockedWords(ctx, 'content', said)
  await assertLinksAllowed(ctx, linksIn(said.join('\n')))
}

export async function assertNoBlockedWords(ctx: Ctx, category: ListCategory, texts: string[]): Promise<void> {
  if ((await findBlockedWord(ctx, category, texts)) !== undefined) throw new DomainError('BLOCKED_WORD')
}

export async function assertLinksAllowed(ctx: Ctx, links: string[]): Promise<void> {
  if ((await findForbiddenLink(ctx, links)) !== undefined) throw new DomainError('LINK_NOT_ALLOWED')
}

/**
 * The pattern of a rule that blocks these texts, as they are written or as they are read: without what is invisible, in the usual width and form, with
 * accents or without.
 * Matches each rule once, however many texts there are.
 */
export async function findBlockedWord(ctx: Ctx, category: ListCategory, texts: string[]): Promise<string | undefined> {
  const blocking = await queryOne<{ pattern: string }>(
    ctx,
    sql`
    select r.pattern from list_rule r
    where r.list = 'block' and r.category = ${category}::list_category and ${texts.flatMap(readings).join('\n')} ~* r.matcher limit 1`,
  )
  return blocking?.pattern
}

/**
 * One of these links that is not on the allow-list, or, if there are too many, the first of all. Does not query the list while the network
 * does not require it (`isWhitelistEnabled`), unless forced to.
 */
export async function findForbiddenLink(
  ctx: Ctx,
  links: string[],
  { always = false }: { always?: boolean } = {},
): Promise<string | undefined> {
  if (links.length === 0) return undefined

  // Rules outside, links inside: PostgreSQL builds each rule's automaton once.
  const foreign = await queryOne<{ link: string }>(
    ctx,
    sql`
    select coalesce(unlisted.link, ${links[0]}) as link
    from network_settings s left join lateral (
      select link from unnest(${links.slice(0, LINKS_IN_ONE_TEXT)}::text[]) as link
      except
      select matched.link from list_rule r
      cross join lateral (select link from unnest(${links.slice(0, LINKS_IN_ONE_TEXT)}::text[]) as link where link ~* r.matcher) matched
      where r.list = 'allow' and r.category = 'content'
      limit 1) unlisted on ${links.length <= LINKS_IN_ONE_TEXT}
    where (${always} or s.is_whitelist_enabled) and (${links.length > LINKS_IN_ONE_TEXT} or unlisted.link is not null)`,
  )
  return foreign?.link
}

function readings(text: string): string[] {
  const written = text.normalize('NFC')
  const read = [fold(text).text, fold(withoutAccents(text)).text]
  return [written, ...new Set(read.filter((reading) => reading !== written.toLowerCase()))]
}

/** Every text within a body of any shape. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
