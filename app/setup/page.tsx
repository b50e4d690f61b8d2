import { KeyRound } from 'lucide-react'
import { headers } from 'next/headers'
import { readWords, titled } from '#components/preferences/server-messages.ts'
import { SetUpForm } from '#components/sign-in/set-up-form.tsx'
import { SignInFrame, SignInNote } from '#components/sign-in/sign-in-frame.tsx'

export const generateMetadata = titled((t) => t('setUp.page'))

export default async function SetUpPage({ searchParams }: PageProps<'/setup'>) {
  const { token } = await searchParams
  const t = await readWords()
  const isOpen = typeof token === 'string'

  return (
    <SignInFrame
      title={t('setUp.title')}
      note={<SignInNote icon={<KeyRound />}>{t(isOpen ? 'setUp.note' : 'setUp.noToken')}</SignInNote>}
      host={(await headers()).get('host') ?? ''}
    >
      {isOpen && <SetUpForm token={token} />}
    </SignInFrame>
  )
}
