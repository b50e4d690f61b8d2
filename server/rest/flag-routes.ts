import type { z } from 'zod'
import {
  clearFlags,
  type Flaggable,
  flag,
  isFlaggedByMe,
  type Placed,
  unflag,
} from '#server/modules/content/flags/flag.ts'
import { FlaggedByMe, NewFlag } from '#server/modules/content/flags/schema.ts'
import type { RestPlugin } from '#server/rest/plugin.ts'

interface FlagRoutes<Envelope> {
  paths: Record<'flag' | 'unflag' | 'clear' | 'isMine', string>
  params: z.ZodType<{ id: string }>
  envelope: z.ZodType<Envelope>
  flaggable: Flaggable<Placed, Envelope>
}

/** Flags of comments, posts or messages: docs/interface/reports-and-flags.md. */
export function flagRoutes<Envelope>(
  app: Parameters<RestPlugin>[0],
  { paths, params, envelope, flaggable }: FlagRoutes<Envelope>,
): void {
  const answer: z.ZodType = envelope
  const schema = { params, response: { 200: answer } }

  app.post(paths.flag, { schema: { ...schema, body: NewFlag } }, ({ ctx, params: { id }, body }) =>
    flag(ctx, flaggable, { id, flag: body }),
  )

  app.delete(paths.unflag, { schema }, ({ ctx, params }) => unflag(ctx, flaggable, params))

  app.delete(paths.clear, { schema }, ({ ctx, params }) => clearFlags(ctx, flaggable, params))

  app.get(paths.isMine, { schema: { params, response: { 200: FlaggedByMe } } }, async ({ ctx, params }) => ({
    result: await isFlaggedByMe(ctx, flaggable, params),
  }))
}

/** The paths of version 3. */
export function flagPaths(content: string): FlagRoutes<unknown>['paths'] {
  return {
    flag: `${content}/flag`,
    unflag: `${content}/unflag`,
    clear: `${content}/flags`,
    isMine: `${content}/isflagbyme`,
  }
}
