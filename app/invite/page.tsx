import { KeyRound } from 'lucide-react'
import { headers } from 'next/headers'
import { readWords, titled } from '#components/i18n/server.ts'
import { Door, DoorNote } from '#components/sign-in/door.tsx'
import { TakeUpForm } from '#components/sign-in/take-up-form.tsx'
import { failureOf } from '#components/trpc/failure.ts'
import { getQueryClient, trpc } from '#components/trpc/server.tsx'
import type { LinkFacts } from '#server/modules/staff/schema.ts'

export const generateMetadata = titled((t) => t('takeUp.page'))

export default async function InvitePage({ searchParams }: PageProps<'/invite'>) {
  const { token } = await searchParams
  const t = await readWords()
  const link = typeof token === 'string' ? await readLink(token) : undefined
  const note = link ? t(`takeUp.${link.purpose}.note`) : t('takeUp.usedLink')

  return (
    <Door
      title={t(link ? `takeUp.${link.purpose}.title` : 'takeUp.page')}
      note={<DoorNote icon={<KeyRound />}>{note}</DoorNote>}
      host={(await headers()).get('host') ?? ''}
    >
      {link && typeof token === 'string' && <TakeUpForm token={token} link={link} />}
    </Door>
  )
}

/** Nothing for a link that opens nothing, any more or ever. */
async function readLink(token: string): Promise<LinkFacts | undefined> {
  try {
    return await getQueryClient().fetchQuery(trpc.staff.link.queryOptions({ token }))
  } catch (error) {
    const { code } = failureOf(error)
    if (code === 'NOT_FOUND' || code === 'UNPROCESSABLE_CONTENT') return undefined
    throw error
  }
}
