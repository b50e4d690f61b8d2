import type { Ctx } from '#server/core/ctx.ts'
import type { Page } from '#server/core/list-page.ts'
import type { PersonListInput } from '#server/modules/people/schema.ts'
import { assertMayLookUp } from '#server/modules/people/scope.ts'

/** A page of one list about a person, by their public id; empty where the caller may see no entries. Fails as `findPeople` does. */
export async function listAbout<Input extends PersonListInput, Item>(
  ctx: Ctx,
  list: (ctx: Ctx, input: Input) => Promise<Page<Item>>,
  input: Input,
): Promise<Page<Item>> {
  await assertMayLookUp(ctx)
  return list(ctx, input)
}
