import { KeyRound } from 'lucide-react'
import { headers } from 'next/headers'
import { readWords, titled } from '#components/preferences/server-messages.ts'
import { AcceptInviteForm } from '#components/sign-in/accept-invite-form.tsx'
import { SignInFrame, SignInNote } from '#components/sign-in/sign-in-frame.tsx'
import { toRequestError } from '#components/trpc/request-error.ts'
import { getQueryClient } from '#components/trpc/server.tsx'
import { trpc } from '#components/trpc/trpc.ts'
import type { LinkFacts } from '#server/modules/accounts/staff/schema.ts'

export const generateMetadata = titled((t) => t('acceptInvite.page'))

export default async function InvitePage({ searchParams }: PageProps<'/invite'>) {
  const { token } = await searchParams
  const t = await readWords()
  const link = typeof token === 'string' ? await readLink(token) : undefined
  const note = link ? t(`acceptInvite.${link.purpose}.note`) : t('acceptInvite.usedLink')

  return (
    <SignInFrame
      title={t(link ? `acceptInvite.${link.purpose}.title` : 'acceptInvite.page')}
      note={<SignInNote icon={<KeyRound />}>{note}</SignInNote>}
      host={(await headers()).get('host') ?? ''}
    >
      {link && typeof token === 'string' && <AcceptInviteForm token={token} link={link} />}
    </SignInFrame>
  )
}

/** What the link is for; undefined if it is used up, expired or invalid. */
async function readLink(token: string): Promise<LinkFacts | undefined> {
  try {
    return await getQueryClient().fetchQuery(trpc.staff.link.queryOptions({ token }))
  } catch (error) {
    const { code } = toRequestError(error)
    if (code === 'NOT_FOUND' || code === 'UNPROCESSABLE_CONTENT') return undefined
    throw error
  }
}
