import type { Metadata } from 'next'
import { readWords } from '#components/preferences/server-messages.ts'
import { StatementSheet } from '#components/statement/statement-sheet.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { LinkedStatement } from '#server/modules/network/statements/schema.ts'

export async function generateMetadata(): Promise<Metadata> {
  const t = await readWords()
  // Its address is what lets people read it: it goes to no other site.
  return { title: t('statement.page'), referrer: 'no-referrer' }
}

/** Where the link of a statement leads: it needs no sign-in. */
export default async function StatementPage({ searchParams }: PageProps<'/statement'>) {
  const { token } = await searchParams
  const given = typeof token === 'string' ? token : ''
  return <StatementSheet statement={await read(given)} token={given} />
}

/** Undefined for a link that was changed, or is too old. */
async function read(token: string): Promise<LinkedStatement | undefined> {
  try {
    return await getQueryClient().fetchQuery(trpc.statements.read.queryOptions({ token }))
  } catch (error) {
    const { code } = toRequestError(error)
    if (code === 'NOT_FOUND' || code === 'UNPROCESSABLE_CONTENT') return undefined
    throw error
  }
}
