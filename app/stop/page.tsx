import { headers } from 'next/headers'
import { readWords, titled } from '#components/preferences/server-messages.ts'
import { SignInFrame } from '#components/sign-in/sign-in-frame.tsx'
import { StopMails } from '#components/sign-in/stop-mails.tsx'

export const generateMetadata = titled((t) => t('stop.page'))

/** Where the link in a mail leads: it needs no sign-in. */
export default async function StopPage({ searchParams }: PageProps<'/stop'>) {
  const { token } = await searchParams
  const t = await readWords()
  return (
    <SignInFrame title={t('stop.page')} host={(await headers()).get('host') ?? ''}>
      <StopMails token={typeof token === 'string' ? token : ''} />
    </SignInFrame>
  )
}
